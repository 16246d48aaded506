package tapwright.framework;

import android.graphics.Rect;
import android.view.KeyEvent;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/** What can be asked of the device. Everything runs on the app's main thread. */
final class Commands implements Server.Handler {
  private final Device device;

  Commands(Device device) {
    this.device = device;
  }

  @Override
  public void handle(JSONObject request, CompletableFuture<Reply> answer) {
    device.loop.post(
        () -> {
          try {
            run(request, answer);
          } catch (JSONException missing) {
            answer.complete(Reply.error("malformed request: " + missing.getMessage()));
          } catch (RuntimeException | Error thrown) {
            answer.complete(Reply.error("the app threw " + thrown));
            throw thrown;
          }
        });
  }

  private void run(JSONObject request, CompletableFuture<Reply> answer) throws JSONException {
    switch (request.getString("do")) {
      case "hello" -> answer.complete(Reply.of(AppInfo.of(device.application, device.tasks.launcher())));
      case "launch" -> answer.complete(launch(request));
      case "stop" -> answer.complete(stop());
      case "pause" -> answer.complete(pause());
      case "resume" -> answer.complete(resume());
      case "status" -> answer.complete(Reply.of(status()));
      case "crash" -> answer.complete(Reply.text(String.join("\n", device.crashes.take())));
      case "clicks" -> answer.complete(Reply.of(new JSONObject().put("clicks", new JSONArray(device.clicks.take()))));
      case "dump" -> answer.complete(dump());
      case "windows" -> answer.complete(Reply.of(windows()));
      case "screenshot" -> answer.complete(screenshot());
      case "touch" -> device.touch.along(path(request), () -> later(answer, Reply.ok()));
      case "key" -> later(answer, Reply.of(new JSONObject().put("taken", key(request.getInt("code")))));
      case "text" -> later(answer, Reply.of(new JSONObject().put("typed", device.keys.type(request.getString("text")))));
      case "commit" -> later(answer, Reply.of(new JSONObject().put("typed", device.keys.commit(request.getString("text")))));
      case "clear" -> answer.complete(clear());
      case "configure" -> {
        device.settings.apply(request, device.tasks);
        answer.complete(Reply.ok());
      }
      case "quit" -> {
        answer.complete(Reply.ok());
        device.loop.stop();
      }
      default -> answer.complete(Reply.error("unknown request: " + request.getString("do")));
    }
  }

  /** Answers once the app has taken the input and the system has done what the app asked for. */
  private void later(CompletableFuture<Reply> answer, Reply reply) {
    device.loop.afterNextTurn(() -> answer.complete(reply));
  }

  private Reply launch(JSONObject request) {
    device.crashes.restarted();
    device.tasks.launch(request.optString("activity"));
    return Reply.ok();
  }

  private Reply stop() {
    device.tasks.endAll();
    return Reply.ok();
  }

  private Reply clear() {
    device.tasks.endAll();
    AppData.clear(device.application);
    return Reply.ok();
  }

  private Reply pause() {
    device.tasks.pause();
    return Reply.ok();
  }

  private Reply resume() {
    device.tasks.resume();
    return Reply.ok();
  }

  private JSONObject status() throws JSONException {
    Task top = device.tasks.top();
    Windows.Shown active = device.windows.active();
    return new JSONObject()
        .put("activity", top == null ? "" : top.activity().getClass().getName())
        .put("keyboard", device.keyboard.shown())
        .put("crashed", device.crashes.crashed())
        .put("quiet_ms", device.idle.milliseconds())
        .put("secure", active != null && active.secure());
  }

  private Reply dump() throws JSONException {
    Windows.Shown active = device.windows.active();
    if (active == null) {
      return Reply.error("no window has the focus");
    }
    Rect display = new Rect(0, 0, device.settings.width(), device.settings.height());
    return Reply.text(Dump.of(NodeTree.of(active.root()), display, device.settings.rotation()));
  }

  private JSONObject windows() throws JSONException {
    Windows.Shown active = device.windows.active();
    JSONArray list = new JSONArray();
    for (Windows.Shown window : device.windows.shown()) {
      list.put(
          new JSONObject()
              .put("title", String.valueOf(window.params().getTitle()))
              .put("type", window.params().type)
              .put("bounds", window.bounds().toShortString())
              .put("focused", active != null && active.root() == window.root()));
    }
    return new JSONObject().put("windows", list);
  }

  private Reply screenshot() throws JSONException {
    List<Windows.Shown> windows = device.windows.shown();
    int width = device.settings.width();
    int height = device.settings.height();
    return Reply.data(new JSONObject().put("width", width).put("height", height), Picture.of(windows, width, height));
  }

  private static Touch.Path path(JSONObject request) throws JSONException {
    float x = (float) request.getDouble("x");
    float y = (float) request.getDouble("y");
    float toX = (float) request.optDouble("to_x", x);
    float toY = (float) request.optDouble("to_y", y);
    return new Touch.Path(x, y, toX, toY, request.optLong("hold_ms"), request.optLong("move_ms"));
  }

  /** BACK goes to the keyboard first, as an input method takes it. */
  private boolean key(int code) {
    if (code == KeyEvent.KEYCODE_BACK && device.keyboard.shown()) {
      device.keyboard.hide();
      return true;
    }
    return device.keys.press(code);
  }
}

package tapwright.framework;

import android.app.UiAutomation;
import android.os.SystemClock;
import android.view.InputDevice;
import android.view.MotionEvent;

/** One finger on the display, moved through {@code injectInputEvent} in real time. */
final class Touch {
  /** Between two moves of a finger, ms: a touch screen reports about 120 times a second. */
  private static final long STEP = 8;

  /** Where and how long. */
  record Path(float fromX, float fromY, float toX, float toY, long holdMs, long moveMs) {}

  private final UiAutomation automation;
  private final MainLoop loop;

  Touch(UiAutomation automation, MainLoop loop) {
    this.automation = automation;
    this.loop = loop;
  }

  /** Puts the finger down, holds it, moves it, lifts it, then runs {@code done}. */
  void along(Path path, Runnable done) {
    long down = SystemClock.uptimeMillis();
    send(down, MotionEvent.ACTION_DOWN, path.fromX, path.fromY);
    if (path.holdMs == 0 && path.moveMs == 0) {
      send(down, MotionEvent.ACTION_UP, path.fromX, path.fromY);
      done.run();
      return;
    }
    loop.postDelayed(() -> move(path, down, SystemClock.uptimeMillis(), done), path.holdMs);
  }

  private void move(Path path, long down, long began, Runnable done) {
    long passed = SystemClock.uptimeMillis() - began;
    if (passed < path.moveMs) {
      float part = (float) passed / path.moveMs;
      float x = path.fromX + (path.toX - path.fromX) * part;
      float y = path.fromY + (path.toY - path.fromY) * part;
      send(down, MotionEvent.ACTION_MOVE, x, y);
      loop.postDelayed(() -> move(path, down, began, done), STEP);
      return;
    }
    if (path.moveMs > 0) {
      send(down, MotionEvent.ACTION_MOVE, path.toX, path.toY);
    }
    send(down, MotionEvent.ACTION_UP, path.toX, path.toY);
    done.run();
  }

  private void send(long down, int action, float x, float y) {
    float pressure = action == MotionEvent.ACTION_UP ? 0 : 1;
    MotionEvent event =
        MotionEvent.obtain(down, SystemClock.uptimeMillis(), action, x, y, pressure, 1, 0, 1, 1, 0, 0);
    event.setSource(InputDevice.SOURCE_TOUCHSCREEN);
    automation.injectInputEvent(event, true);
    event.recycle();
  }
}

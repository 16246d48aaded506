package tapwright.framework;

import android.app.Activity;
import android.app.Application;
import android.content.ComponentName;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.content.pm.PackageManager;
import android.content.pm.ResolveInfo;
import android.os.IBinder;
import android.view.WindowManagerGlobal;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.robolectric.Robolectric;
import org.robolectric.Shadows;
import org.robolectric.android.controller.ActivityController;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowActivity;

/**
 * The back stack of the app's one task. Robolectric notes what {@code startActivity} and {@code finish} ask for; this does
 * it, in the order {@code ActivityThread} has.
 */
final class Tasks {
  /** Our own screens, which no manifest declares. */
  private static final String GALLERY = "tapwright.framework.gallery.";

  private final Application application;
  private final Deque<Task> stack = new ArrayDeque<>();

  Tasks(Application application) {
    this.application = application;
  }

  /** Starts the launcher activity, or another of the app's by class name. */
  void launch(String activityClass) {
    Intent intent = new Intent(Intent.ACTION_MAIN).addCategory(Intent.CATEGORY_LAUNCHER);
    if (activityClass.isEmpty()) {
      intent.setComponent(launcher());
    } else {
      intent = new Intent().setClassName(application.getPackageName(), activityClass);
    }
    intent.addFlags(Intent.FLAG_ACTIVITY_NEW_TASK);
    start(intent, null);
  }

  /** The component the home screen starts. */
  ComponentName launcher() {
    Intent intent = new Intent(Intent.ACTION_MAIN).addCategory(Intent.CATEGORY_LAUNCHER);
    for (ResolveInfo found : application.getPackageManager().queryIntentActivities(intent, 0)) {
      return new ComponentName(found.activityInfo.packageName, found.activityInfo.name);
    }
    throw new IllegalStateException("the APK has no launcher activity");
  }

  Task top() {
    return stack.peek();
  }

  /** The back stack, the top one first. */
  Iterable<Task> all() {
    return stack;
  }

  /** Does what activities asked for since the last turn. */
  void settle() {
    startWhatWasAskedFor();
    for (Iterator<Task> it = stack.iterator(); it.hasNext(); ) {
      Task task = it.next();
      if (task.activity().isFinishing() || Shadows.shadowOf(task.activity()).isTaskMovedToBack() && stack.size() == 1) {
        it.remove();
        end(task);
        resumeTop();
        return;
      }
    }
  }

  /** Ends every activity, as a killed process does. */
  void endAll() {
    while (!stack.isEmpty()) {
      Task task = stack.pop();
      try {
        end(task);
      } catch (RuntimeException thrown) {
        System.err.println("while ending " + task.activity() + ": " + thrown);
      }
    }
  }

  /** The app left the front, or a window of the system lies over it. */
  void pause() {
    Task top = top();
    if (top != null && top.resumed) {
      top.controller.topActivityResumed(false).pause();
      top.resumed = false;
    }
  }

  /** The app is in front again. */
  void resume() {
    Task top = top();
    if (top != null && !top.resumed) {
      resumeTop();
    }
  }

  /** Tells every activity, which may make it anew; Robolectric leaves the window of a new one to its caller. */
  void configurationChanged() {
    for (Task task : stack) {
      Activity before = task.activity();
      task.controller.configurationChange();
      if (task.activity() != before && task.started) {
        task.controller.visible();
      }
    }
  }

  private void startWhatWasAskedFor() {
    Task top = top();
    if (top == null) {
      return;
    }
    ShadowActivity shadow = Shadow.extract(top.activity());
    for (var asked = shadow.getNextStartedActivityForResult(); asked != null; asked = shadow.getNextStartedActivityForResult()) {
      start(asked.intent, asked.requestCode >= 0 ? top : null);
    }
  }

  private void start(Intent intent, Task caller) {
    ActivityInfo info = resolve(intent);
    if (info == null || !info.packageName.equals(application.getPackageName())) {
      System.err.println("not started, of another app: " + intent);
      return;
    }
    String name = info.targetActivity == null ? info.name : info.targetActivity;
    if (reuse(intent, info, name)) {
      return;
    }
    Task below = top();
    pause();
    Task task = create(new Intent(intent).setComponent(new ComponentName(info.packageName, name)), intent, caller, name);
    stack.push(task);
    if (task.activity().isFinishing()) {
      return;
    }
    task.controller.start().postCreate(null).resume().visible().topActivityResumed(true);
    task.started = true;
    task.resumed = true;
    if (below != null && !task.seeThrough()) {
      below.controller.stop();
      below.started = false;
    }
  }

  private Task create(Intent own, Intent asked, Task caller, String name) {
    try {
      Class<? extends Activity> activity = Class.forName(name).asSubclass(Activity.class);
      ActivityController<? extends Activity> controller = Robolectric.buildActivity(activity, own);
      controller.create();
      return new Task(controller, asked, caller);
    } catch (ClassNotFoundException missing) {
      throw new IllegalStateException("the APK declares " + name + " but has no such class", missing);
    }
  }

  private ActivityInfo resolve(Intent intent) {
    PackageManager packages = application.getPackageManager();
    try {
      if (intent.getComponent() != null) {
        if (intent.getComponent().getClassName().startsWith(GALLERY)) {
          Shadows.shadowOf(packages).addActivityIfNotPresent(intent.getComponent());
        }
        return packages.getActivityInfo(intent.getComponent(), 0);
      }
    } catch (PackageManager.NameNotFoundException missing) {
      return null;
    }
    ResolveInfo found = packages.resolveActivity(intent, PackageManager.MATCH_DEFAULT_ONLY);
    return found == null ? null : found.activityInfo;
  }

  /** {@code singleTop}, {@code CLEAR_TOP}: an activity that is there gets the intent instead of a new one. */
  private boolean reuse(Intent intent, ActivityInfo info, String name) {
    int flags = intent.getFlags();
    boolean clear = (flags & Intent.FLAG_ACTIVITY_CLEAR_TOP) != 0 || info.launchMode >= ActivityInfo.LAUNCH_SINGLE_TASK;
    boolean single = (flags & Intent.FLAG_ACTIVITY_SINGLE_TOP) != 0 || info.launchMode >= ActivityInfo.LAUNCH_SINGLE_TOP;
    Task there = null;
    for (Task task : stack) {
      if (task.activity().getClass().getName().equals(name) && (clear || task == top())) {
        there = task;
        break;
      }
    }
    if (there == null || !clear && !single) {
      return false;
    }
    boolean renewed = clear && !single;
    while (top() != there || renewed && top() == there) {
      Task ended = stack.pop();
      end(ended);
      if (ended == there) {
        return false;
      }
    }
    if (!there.started) {
      resumeTop();
    }
    there.controller.newIntent(intent);
    return true;
  }

  private void end(Task task) {
    Activity activity = task.activity();
    ShadowActivity shadow = Shadow.extract(activity);
    int code = shadow.getResultCode();
    Intent data = shadow.getResultIntent();
    if (task.resumed) {
      task.controller.topActivityResumed(false).pause();
      task.resumed = false;
    }
    if (task.started) {
      task.controller.stop();
      task.started = false;
    }
    IBinder window = activity.getWindow().getDecorView().getWindowToken();
    task.controller.destroy();
    // Dialogs and popups that the activity left open go with it.
    close(activity.getActivityToken(), activity);
    close(window, activity);
    if (task.caller != null && stack.contains(task.caller)) {
      Shadow.<ShadowActivity>extract(task.caller.activity()).receiveResult(task.intent, code, data);
    }
  }

  private static void close(IBinder token, Activity activity) {
    if (token != null) {
      WindowManagerGlobal.getInstance().closeAll(token, activity.getClass().getName(), "Activity");
    }
  }

  private void resumeTop() {
    Task top = top();
    if (top == null) {
      return;
    }
    if (!top.started) {
      top.controller.restart().start();
      top.started = true;
    }
    if (!top.resumed) {
      top.controller.resume().visible().topActivityResumed(true);
      top.resumed = true;
    }
  }
}

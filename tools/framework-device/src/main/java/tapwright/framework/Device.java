package tapwright.framework;

import android.app.Application;
import android.os.Looper;

/** The parts of one device. */
final class Device {
  final Application application;
  final Crashes crashes;
  final MainLoop loop;
  final Tasks tasks;
  final Windows windows;
  final Touch touch;
  final Keys keys;
  final Settings settings;
  final Toasts toasts;
  final Keyboard keyboard;
  final Clicks clicks = new Clicks();
  final Idle idle = new Idle(clicks);

  Device(Application application) {
    this.application = application;
    crashes = new Crashes(application.getPackageName(), Looper.getMainLooper().getThread());
    loop = new MainLoop(crashes);
    tasks = new Tasks(application);
    windows = new Windows(tasks);
    touch = new Touch(Framework.automation(), loop);
    keys = new Keys(windows);
    settings = new Settings(application);
    keyboard = new Keyboard(application);
    toasts = new Toasts(application, loop);
  }

  /** Does the system's part of the work, once a turn of the main loop. */
  void settle() {
    idle.settle();
    if (crashes.crashed()) {
      tasks.endAll();
      return;
    }
    tasks.settle();
    windows.settle();
    keyboard.settle(windows.active());
    toasts.settle();
  }
}

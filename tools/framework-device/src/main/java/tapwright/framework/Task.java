package tapwright.framework;

import android.app.Activity;
import android.content.Intent;
import org.robolectric.android.controller.ActivityController;

/** An activity of the back stack. */
final class Task {
  final ActivityController<? extends Activity> controller;
  /** What started it; results are matched by this very object. */
  final Intent intent;
  /** The activity that waits for its result; null where none does. */
  final Task caller;
  /** False while another activity covers it. */
  boolean started;
  /** True while it is in front. */
  boolean resumed;

  Task(ActivityController<? extends Activity> controller, Intent intent, Task caller) {
    this.controller = controller;
    this.intent = intent;
    this.caller = caller;
  }

  Activity activity() {
    return controller.get();
  }

  /** True where what lies below shows through: a dialog's theme, a translucent one. */
  boolean seeThrough() {
    android.content.res.TypedArray style = activity().getTheme().obtainStyledAttributes(new int[] {
        android.R.attr.windowIsTranslucent, android.R.attr.windowIsFloating});
    try {
      return style.getBoolean(0, false) || style.getBoolean(1, false);
    } finally {
      style.recycle();
    }
  }
}

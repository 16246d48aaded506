package tapwright.framework;

import android.app.Application;
import android.graphics.PixelFormat;
import android.view.Gravity;
import android.view.LayoutInflater;
import android.view.View;
import android.view.WindowManager;
import android.widget.TextView;
import android.widget.Toast;
import org.robolectric.shadows.ShadowToast;

/** Shows toasts, which on a device the system's own process does: Robolectric only notes them. */
final class Toasts {
  /** How long they stay, ms ({@code NotificationManagerService}). */
  private static final long SHORT = 2000;

  private static final long LONG = 3500;

  private final Application application;
  private final MainLoop loop;
  private int seen;
  private View shown;

  Toasts(Application application, MainLoop loop) {
    this.application = application;
    this.loop = loop;
  }

  /** Shows the newest toast where there is a new one. */
  void settle() {
    int count = ShadowToast.shownToastCount();
    if (count == seen) {
      return;
    }
    seen = count;
    Toast toast = ShadowToast.getLatestToast();
    if (toast != null) {
      show(toast);
    }
  }

  private void show(Toast toast) {
    hide(shown);
    View view = toast.getView();
    if (view == null) {
      view = LayoutInflater.from(application).inflate(layout(), null);
      TextView message = view.findViewById(android.R.id.message);
      message.setText(ShadowToast.getTextOfLatestToast());
    }
    WindowManager.LayoutParams params =
        new WindowManager.LayoutParams(
            WindowManager.LayoutParams.WRAP_CONTENT,
            WindowManager.LayoutParams.WRAP_CONTENT,
            WindowManager.LayoutParams.TYPE_TOAST,
            WindowManager.LayoutParams.FLAG_NOT_FOCUSABLE | WindowManager.LayoutParams.FLAG_NOT_TOUCHABLE,
            PixelFormat.TRANSLUCENT);
    params.gravity = Gravity.BOTTOM | Gravity.CENTER_HORIZONTAL;
    params.y = Math.round(64 * application.getResources().getDisplayMetrics().density);
    params.setTitle("Toast");
    application.getSystemService(WindowManager.class).addView(view, params);
    shown = view;
    View now = view;
    loop.postDelayed(() -> hide(now), toast.getDuration() == Toast.LENGTH_LONG ? LONG : SHORT);
  }

  private int layout() {
    return application.getResources().getIdentifier("transient_notification", "layout", "android");
  }

  private void hide(View view) {
    if (view != null && view == shown) {
      shown = null;
      application.getSystemService(WindowManager.class).removeViewImmediate(view);
    }
  }
}

package tapwright.framework;

import android.app.Application;
import android.view.View;
import android.view.WindowManager.LayoutParams;
import android.view.inputmethod.InputMethodManager;
import org.robolectric.Shadows;

/**
 * The stand-in for an input method: whether the soft keyboard is up. Who draws it and types with it is the client's
 * business. The rules are the input method manager service's.
 */
final class Keyboard {
  private final InputMethodManager manager;
  private View window;

  Keyboard(Application application) {
    manager = application.getSystemService(InputMethodManager.class);
  }

  boolean shown() {
    return Shadows.shadowOf(manager).isSoftInputVisible();
  }

  void hide() {
    // Robolectric's manager takes any window's token, none too.
    manager.hideSoftInputFromWindow(window == null ? null : window.getWindowToken(), 0);
  }

  /** Follows the input focus: a window that got it may ask for the keyboard, and one without a text field loses it. */
  void settle(Windows.Shown active) {
    View focus = active == null ? null : active.root().findFocus();
    boolean editor = focus != null && focus.onCheckIsTextEditor();
    View now = active == null ? null : active.root();
    if (now != window) {
      window = now;
      if (now != null) {
        arrived(active.params().softInputMode & LayoutParams.SOFT_INPUT_MASK_STATE, focus, editor);
      }
    }
    if (shown() && !editor) {
      hide();
    }
  }

  private void arrived(int state, View focus, boolean editor) {
    boolean wanted =
        state == LayoutParams.SOFT_INPUT_STATE_VISIBLE || state == LayoutParams.SOFT_INPUT_STATE_ALWAYS_VISIBLE;
    boolean unwanted =
        state == LayoutParams.SOFT_INPUT_STATE_HIDDEN || state == LayoutParams.SOFT_INPUT_STATE_ALWAYS_HIDDEN;
    if (wanted && editor) {
      manager.showSoftInput(focus, 0);
    } else if (unwanted) {
      hide();
    }
  }
}

package tapwright.framework;

import android.os.SystemClock;
import android.view.InputDevice;
import android.view.KeyCharacterMap;
import android.view.KeyEvent;
import android.view.View;
import android.view.ViewRootImpl;
import android.view.inputmethod.EditorInfo;
import android.view.inputmethod.InputConnection;

/** Key presses and typed text, sent to the window that has the focus. */
final class Keys {
  private final Windows windows;

  Keys(Windows windows) {
    this.windows = windows;
  }

  /** Presses and releases a key; false where no window takes it. */
  boolean press(int code) {
    long now = SystemClock.uptimeMillis();
    return send(event(now, KeyEvent.ACTION_DOWN, code)) && send(event(now, KeyEvent.ACTION_UP, code));
  }

  /** Types as {@code input text} does; false where a character is on no key of the virtual keyboard. */
  boolean type(String text) {
    KeyEvent[] events = KeyCharacterMap.load(KeyCharacterMap.VIRTUAL_KEYBOARD).getEvents(text.toCharArray());
    if (events == null) {
      return false;
    }
    for (KeyEvent event : events) {
      send(KeyEvent.changeTimeRepeat(event, SystemClock.uptimeMillis(), 0));
    }
    return true;
  }

  /** Gives a text to the field that has the focus, as an input method does; false where none has it. */
  boolean commit(String text) {
    Windows.Shown active = windows.active();
    View focus = active == null ? null : active.root().findFocus();
    if (focus == null || !focus.onCheckIsTextEditor()) {
      return false;
    }
    InputConnection editor = focus.onCreateInputConnection(new EditorInfo());
    return editor != null && editor.commitText(text, 1);
  }

  private static KeyEvent event(long down, int action, int code) {
    return new KeyEvent(
        down, down, action, code, 0, 0, KeyCharacterMap.VIRTUAL_KEYBOARD, 0, 0, InputDevice.SOURCE_KEYBOARD);
  }

  /** Goes the framework's own way past the input method: focus moves and shortcuts are the view root's work. */
  private boolean send(KeyEvent event) {
    Windows.Shown active = windows.active();
    View root = active == null ? null : active.root();
    ViewRootImpl impl = root == null ? null : root.getViewRootImpl();
    if (impl == null) {
      return false;
    }
    impl.dispatchKeyFromIme(event);
    return true;
  }
}

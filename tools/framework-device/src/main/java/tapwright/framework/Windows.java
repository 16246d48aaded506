package tapwright.framework;

import android.graphics.Rect;
import android.os.IBinder;
import android.view.View;
import android.view.WindowManager;
import android.view.inspector.WindowInspector;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowViewRootImpl;

/** The windows on the display, and which of them has the input focus. */
final class Windows {
  /** A window. */
  record Shown(View root, WindowManager.LayoutParams params, int order) {
    /** Where it lies on the display. */
    Rect bounds() {
      int[] at = new int[2];
      root.getLocationOnScreen(at);
      return new Rect(at[0], at[1], at[0] + root.getWidth(), at[1] + root.getHeight());
    }

    boolean takesFocus() {
      return (params.flags & WindowManager.LayoutParams.FLAG_NOT_FOCUSABLE) == 0 && root.getVisibility() == View.VISIBLE;
    }

    /** The part of what lies below that is taken away, 0 to 1. */
    float dim() {
      return (params.flags & WindowManager.LayoutParams.FLAG_DIM_BEHIND) == 0 ? 0 : params.dimAmount;
    }

    boolean secure() {
      return (params.flags & WindowManager.LayoutParams.FLAG_SECURE) != 0;
    }

    private int type() {
      return params.type;
    }
  }

  private final Tasks tasks;
  private View focused;

  Windows(Tasks tasks) {
    this.tasks = tasks;
  }

  /** The windows of what is started and of the system, the lowest first. */
  List<Shown> shown() {
    // A window belongs to an activity by its token, or to another window by that one's.
    Set<IBinder> tokens = new HashSet<>();
    for (Task task : tasks.all()) {
      if (task.started) {
        tokens.add(task.activity().getActivityToken());
      }
    }
    List<Shown> shown = new ArrayList<>();
    int order = 0;
    for (View root : WindowInspector.getGlobalWindowViews()) {
      boolean attached = root.isAttachedToWindow() && root.getWidth() > 0 && root.getHeight() > 0;
      if (attached && root.getLayoutParams() instanceof WindowManager.LayoutParams params) {
        boolean system = params.type > WindowManager.LayoutParams.LAST_SUB_WINDOW;
        if (system || tokens.contains(params.token)) {
          tokens.add(root.getWindowToken());
          shown.add(new Shown(root, params, order++));
        }
      }
    }
    shown.sort(Comparator.comparingInt(Shown::type).thenComparingInt(Shown::order));
    return shown;
  }

  /** The window that has the input focus: the topmost that takes it; null where there is none. */
  Shown active() {
    Shown active = null;
    for (Shown window : shown()) {
      if (window.takesFocus()) {
        active = window;
      }
    }
    return active;
  }

  /** Tells windows that the focus came or went, as the window manager does. */
  void settle() {
    Shown active = active();
    View now = active == null ? null : active.root();
    if (now == focused) {
      return;
    }
    View before = focused;
    focused = now;
    tell(before, false);
    tell(now, true);
  }

  private static void tell(View root, boolean hasFocus) {
    if (root != null && root.getViewRootImpl() != null) {
      Shadow.<ShadowViewRootImpl>extract(root.getViewRootImpl()).callWindowFocusChanged(hasFocus);
    }
  }
}

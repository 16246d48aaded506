package tapwright.framework;

import android.graphics.Rect;
import android.view.View;
import android.view.accessibility.AccessibilityEvent;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.inspector.WindowInspector;
import java.util.ArrayList;
import java.util.List;

/** Which views said that they were clicked, so that a walk can tell whether a touch hit what it aimed at. */
final class Clicks {
  /** More are forgotten. */
  private static final int MOST = 32;

  private final List<String> bounds = new ArrayList<>();

  /** Takes one event in, while its view is still where it was. */
  void notice(AccessibilityEvent event) {
    if (event.getEventType() != AccessibilityEvent.TYPE_VIEW_CLICKED || bounds.size() == MOST) {
      return;
    }
    int id = AccessibilityNodeInfo.getAccessibilityViewId(event.getSourceNodeId());
    for (View root : WindowInspector.getGlobalWindowViews()) {
      View source = root.findViewByAccessibilityIdTraversal(id);
      if (source != null) {
        Rect at = new Rect();
        source.getBoundsOnScreen(at, true);
        bounds.add(at.toShortString());
        return;
      }
    }
  }

  /** Their bounds, in the order of the clicks; each is told once. */
  List<String> take() {
    List<String> taken = new ArrayList<>(bounds);
    bounds.clear();
    return taken;
  }
}

package tapwright.framework;

import android.view.accessibility.AccessibilityEvent;
import java.util.List;
import org.robolectric.shadows.ShadowAccessibilityManager;
import org.robolectric.util.ReflectionHelpers;

/** How long the app has been quiet: no accessibility event, which is what uiautomator waits for. */
final class Idle {
  private final Clicks clicks;
  private long lastEvent = System.nanoTime();

  Idle(Clicks clicks) {
    this.clicks = clicks;
  }

  /** Takes the events that came since the last turn. */
  void settle() {
    List<AccessibilityEvent> events = ReflectionHelpers.getStaticField(ShadowAccessibilityManager.class, "sentAccessibilityEvents");
    if (!events.isEmpty()) {
      events.forEach(clicks::notice);
      events.clear();
      lastEvent = System.nanoTime();
    }
  }

  long milliseconds() {
    return (System.nanoTime() - lastEvent) / 1_000_000;
  }
}

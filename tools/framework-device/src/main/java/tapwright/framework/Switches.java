package tapwright.framework;

import java.util.Map;

/** System properties that Robolectric reads while it loads. */
final class Switches {
  private static final Map<String, String> REAL =
      Map.ofEntries(
          Map.entry("robolectric.useRealAni", "true"),
          Map.entry("robolectric.useRealScrolling", "true"),
          Map.entry("robolectric.useRealSpinnerSelection", "true"),
          Map.entry("robolectric.useRealMinScalingSpan", "true"),
          Map.entry("robolectric.useRealCountDownTimer", "true"),
          Map.entry("robolectric.createActivityContexts", "true"),
          Map.entry("robolectric.usePreinstrumentedJars", "true"),
          Map.entry("robolectric.windowManager.useRequestedSize", "true"),
          Map.entry("java.awt.headless", "true"));

  private Switches() {}

  /** Sets what was not set on the command line. */
  static void apply() {
    REAL.forEach(System.getProperties()::putIfAbsent);
  }
}

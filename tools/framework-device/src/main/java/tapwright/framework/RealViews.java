package tapwright.framework;

import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowLinearLayout;
import org.robolectric.shadows.ShadowViewGroup;

/**
 * Takes the places of Robolectric's stand-ins that would answer in the framework's place, and adds nothing: the framework's
 * own code answers. Robolectric's tabs only note what they are given and show none, its {@code ViewAnimator} knows no
 * animation, its {@code ViewConfiguration} has the numbers of an old Android (a finger may stray 16 dp, a long press takes
 * 500 ms).
 */
public final class RealViews {
  /** All of them. */
  static final Class<?>[] ALL = {
    Configuration.class, Tabs.class, Tab.class, TabStrip.class, Animator.class, Wheel.class, Pinch.class
  };

  private RealViews() {}

  /** See the class. */
  @Implements(android.view.ViewConfiguration.class)
  public static class Configuration {}

  /** See the class. */
  @Implements(android.widget.TabHost.class)
  public static class Tabs extends ShadowViewGroup {}

  /** See the class. */
  @Implements(android.widget.TabHost.TabSpec.class)
  public static class Tab {}

  /** See the class. */
  @Implements(android.widget.TabWidget.class)
  public static class TabStrip extends ShadowLinearLayout {}

  /** See the class. */
  @Implements(android.widget.ViewAnimator.class)
  public static class Animator extends ShadowViewGroup {}

  /** See the class. */
  @Implements(android.widget.NumberPicker.class)
  public static class Wheel extends ShadowLinearLayout {}

  /** See the class. */
  @Implements(android.view.ScaleGestureDetector.class)
  public static class Pinch {}
}

package tapwright.framework;

import android.app.Activity;
import android.app.ActivityThread;
import android.app.Application;
import android.app.UiAutomation;
import android.view.accessibility.AccessibilityManager;
import android.view.inspector.WindowInspector;
import java.time.Duration;
import org.robolectric.Robolectric;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.Shadows;
import org.robolectric.android.controller.ActivityController;
import org.robolectric.shadows.ShadowChoreographer;
import org.robolectric.shadows.ShadowView;
import org.robolectric.shadows.ShadowWindowManagerGlobal;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/** Robolectric's switches: wherever it has both a stand-in and the framework's own code, the framework's own. */
final class Framework {
  /** Between two frames: 60 a second. */
  private static final Duration FRAME = Duration.ofNanos(16_666_667);

  private Framework() {}

  /** Draws, animates and ticks as a device does, and lets views describe themselves as for an accessibility service. */
  static void useRealBehaviour(Application application) {
    ShadowView.setUseRealViewAnimations(true);
    ShadowView.setUseRealDrawTraversals(true);
    ShadowChoreographer.setPaused(true);
    ShadowChoreographer.setFrameDelay(FRAME);
    AccessibilityManager accessibility = application.getSystemService(AccessibilityManager.class);
    Shadows.shadowOf(accessibility).setEnabled(true);
    // A phone is in touch mode from the start (config_defaultInTouchMode): a window gives no field the focus by itself.
    ReflectionHelpers.callStaticMethod(
        ShadowWindowManagerGlobal.class, "setInTouchMode", new ClassParameter<>(boolean.class, true));
    // An intent that nothing answers throws ActivityNotFoundException, as the real start does.
    Shadows.shadowOf(application).checkActivities(true);
  }

  /**
   * Gives the display a status bar and the handle of gesture navigation, whose room windows leave free. Robolectric keeps
   * the class to itself.
   */
  static void addSystemBars() {
    try {
      Class<?> ui = Class.forName("org.robolectric.shadows.SystemUi");
      Object bars = ReflectionHelpers.callStaticMethod(ui, "systemUiForDefaultDisplay");
      for (String bar : new String[] {"StatusBar", "NavigationBar"}) {
        String field = bar.equals("StatusBar") ? "STANDARD_STATUS_BAR" : "GESTURAL_NAVIGATION";
        Class<?> kind = Class.forName(ui.getName() + "$" + bar + "Behavior");
        Object behaviour = ReflectionHelpers.getStaticField(ui, field);
        ReflectionHelpers.callInstanceMethod(bars, "set" + bar + "Behavior", new ClassParameter<>(kind, behaviour));
      }
    } catch (ClassNotFoundException missing) {
      throw new IllegalStateException("this version of Robolectric has no system bars", missing);
    }
  }

  /** Draws an empty window once, so that fonts, native code and classes are loaded before the app is timed. */
  static void warmUp(MainLoop loop) {
    ActivityController<Activity> empty = Robolectric.buildActivity(Activity.class).setup();
    loop.postDelayed(
        () -> {
          Picture.of(WindowInspector.getGlobalWindowViews().get(0));
          empty.pause().stop().destroy();
          loop.stop();
        },
        100);
    loop.run(() -> {});
  }

  /** What input goes through. */
  static UiAutomation automation() {
    return ((ActivityThread) RuntimeEnvironment.getActivityThread()).getInstrumentation().getUiAutomation();
  }
}

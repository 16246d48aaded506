package tapwright.framework.gallery;

import android.view.ViewConfiguration;
import android.widget.TextView;

/** What decides which gesture a touch is: times and distances of the framework, in its own numbers. */
public final class Timings extends Page {
  @Override
  protected void build() {
    ViewConfiguration of = ViewConfiguration.get(this);
    say("long press ms", ViewConfiguration.getLongPressTimeout());
    say("double tap ms", ViewConfiguration.getDoubleTapTimeout());
    say("touch slop px", of.getScaledTouchSlop());
    say("slowest fling px/s", of.getScaledMinimumFlingVelocity());
    say("fastest fling px/s", of.getScaledMaximumFlingVelocity());
    say("events apart ms", (int) ViewConfiguration.getSendRecurringAccessibilityEventsInterval());
  }

  private void say(String what, int value) {
    TextView line = add(new TextView(this));
    line.setText(what + ": " + value);
  }
}

package tapwright.framework.gallery;

import android.widget.CalendarView;
import java.util.GregorianCalendar;

/** A month to choose a day of, within the screen. */
public final class Months extends Page {
  @Override
  protected void build() {
    CalendarView month = add(new CalendarView(this));
    month.setDate(new GregorianCalendar(2026, 2, 9).getTimeInMillis());
  }
}

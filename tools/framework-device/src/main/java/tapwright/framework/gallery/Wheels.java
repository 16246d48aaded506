package tapwright.framework.gallery;

import android.view.ContextThemeWrapper;
import android.widget.DatePicker;
import android.widget.TimePicker;

/** A date and a time on wheels, as the platform's older theme shows them. */
public final class Wheels extends Page {
  @Override
  protected void build() {
    ContextThemeWrapper older = new ContextThemeWrapper(this, android.R.style.Theme_Holo_Light);
    DatePicker date = addNarrow(new DatePicker(older));
    date.setCalendarViewShown(false);
    date.updateDate(2026, 2, 9);
    TimePicker time = addNarrow(new TimePicker(older));
    time.setIs24HourView(true);
    time.setHour(9);
    time.setMinute(30);
  }
}

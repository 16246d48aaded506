package tapwright.framework.gallery;

import android.app.TimePickerDialog;
import android.text.format.DateFormat;

/** Android's time dialog. */
public final class Times extends Page {
  @Override
  protected void build() {
    new TimePickerDialog(this, null, 9, 30, DateFormat.is24HourFormat(this)).show();
  }
}

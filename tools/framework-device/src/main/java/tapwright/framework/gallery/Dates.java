package tapwright.framework.gallery;

import android.app.DatePickerDialog;

/** Android's date dialog. */
public final class Dates extends Page {
  @Override
  protected void build() {
    new DatePickerDialog(this, null, 2026, 2, 9).show();
  }
}

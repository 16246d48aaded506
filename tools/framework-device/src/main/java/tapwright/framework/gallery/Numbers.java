package tapwright.framework.gallery;

import android.widget.NumberPicker;

/** A wheel of numbers that does not go round. */
public final class Numbers extends Page {
  @Override
  protected void build() {
    NumberPicker picker = addNarrow(new NumberPicker(this));
    picker.setMinValue(1);
    picker.setMaxValue(9);
    picker.setValue(3);
    picker.setWrapSelectorWheel(false);
  }
}

package tapwright.framework.gallery;

import android.util.TypedValue;
import android.view.View;

/** Texts' sizes: a view of each height, so that what the device makes of a size shows in a dump. */
public final class Sizes extends Page {
  /** Sizes of text that themes use, sp. */
  private static final int[] SP = {8, 10, 12, 14, 16, 18, 20, 22, 24, 28, 30, 36, 45, 57};

  @Override
  protected void build() {
    for (int sp : SP) {
      View view = add(new View(this));
      view.setContentDescription(sp + " sp");
      float pixels = TypedValue.applyDimension(TypedValue.COMPLEX_UNIT_SP, sp, getResources().getDisplayMetrics());
      view.getLayoutParams().height = Math.round(pixels);
    }
  }
}

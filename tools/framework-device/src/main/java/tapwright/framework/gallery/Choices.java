package tapwright.framework.gallery;

import android.app.AlertDialog;

/** A dialog with one choice of three. */
public final class Choices extends Page {
  @Override
  protected void build() {
    new AlertDialog.Builder(this)
        .setTitle("Colour")
        .setSingleChoiceItems(new String[] {"Red", "Green", "Blue"}, 0, null)
        .show();
  }
}

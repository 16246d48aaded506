package tapwright.framework.gallery;

import android.app.AlertDialog;

/** A message with two answers, over an empty screen. */
public final class Dialogs extends Page {
  @Override
  protected void build() {
    new AlertDialog.Builder(this)
        .setTitle("Delete draft?")
        .setMessage("It cannot be brought back.")
        .setPositiveButton("Delete", null)
        .setNegativeButton("Cancel", null)
        .show();
  }
}

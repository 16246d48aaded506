package tapwright.framework.gallery;

import android.app.AlertDialog;

/** A dialog of entries, one of which is to be touched. */
public final class Entries extends Page {
  @Override
  protected void build() {
    new AlertDialog.Builder(this)
        .setTitle("Share with")
        .setItems(new String[] {"Mail", "Messages", "Printer"}, null)
        .show();
  }
}

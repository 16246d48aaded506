package tapwright.framework.gallery;

import android.app.AlertDialog;

/** A dialog with several choices of three. */
public final class Multiple extends Page {
  @Override
  protected void build() {
    new AlertDialog.Builder(this)
        .setTitle("Toppings")
        .setMultiChoiceItems(new String[] {"Olives", "Onions", "Rocket"}, new boolean[] {true, false, false}, null)
        .setPositiveButton("Add", null)
        .setNegativeButton("Cancel", null)
        .show();
  }
}

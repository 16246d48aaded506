package tapwright.framework.gallery;

import android.app.AlertDialog;
import android.text.InputType;
import android.widget.EditText;

/** A dialog that asks for a text. */
public final class Prompts extends Page {
  @Override
  protected void build() {
    EditText field = new EditText(this);
    field.setHint("Folder");
    field.setInputType(InputType.TYPE_CLASS_TEXT);
    new AlertDialog.Builder(this)
        .setTitle("New folder")
        .setView(field)
        .setPositiveButton("Create", null)
        .setNeutralButton("Later", null)
        .setNegativeButton("Cancel", null)
        .show();
  }
}

package tapwright.framework.gallery;

import android.text.InputType;
import android.widget.EditText;

/** Text fields. The first has the focus. */
public final class Fields extends Page {
  @Override
  protected void build() {
    field("Name", "", InputType.TYPE_CLASS_TEXT);
    field("City", "Berlin", InputType.TYPE_CLASS_TEXT);
    field("Password", "abc", InputType.TYPE_CLASS_TEXT | InputType.TYPE_TEXT_VARIATION_PASSWORD);
    field("Amount", "", InputType.TYPE_CLASS_NUMBER);
    field("Note", "One\nTwo", InputType.TYPE_CLASS_TEXT | InputType.TYPE_TEXT_FLAG_MULTI_LINE);
    field("Locked", "Fixed", InputType.TYPE_CLASS_TEXT).setEnabled(false);
  }

  private EditText field(String hint, String text, int type) {
    EditText field = add(new EditText(this));
    field.setInputType(type);
    field.setHint(hint);
    field.setText(text);
    return field;
  }
}

package tapwright.framework.gallery;

import android.widget.Button;
import android.widget.Toast;

/** A note that the system shows for a while. */
public final class Toasts extends Page {
  @Override
  protected void build() {
    Button button = add(new Button(this));
    button.setText("Save");
    afterLayout(button, () -> Toast.makeText(this, "Saved", Toast.LENGTH_LONG).show());
  }
}

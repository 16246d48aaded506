package tapwright.framework.gallery;

import android.widget.ArrayAdapter;
import android.widget.Spinner;

/** A drop-down list, open. */
public final class Drops extends Page {
  @Override
  protected void build() {
    Spinner spinner = add(new Spinner(this));
    ArrayAdapter<String> adapter =
        new ArrayAdapter<>(this, android.R.layout.simple_spinner_item, new String[] {"Red", "Green", "Blue"});
    adapter.setDropDownViewResource(android.R.layout.simple_spinner_dropdown_item);
    spinner.setAdapter(adapter);
    afterLayout(spinner, spinner::performClick);
  }
}

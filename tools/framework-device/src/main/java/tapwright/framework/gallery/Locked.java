package tapwright.framework.gallery;

import android.widget.ArrayAdapter;
import android.widget.CheckBox;
import android.widget.CompoundButton;
import android.widget.ImageButton;
import android.widget.RadioButton;
import android.widget.SeekBar;
import android.widget.Spinner;
import android.widget.Switch;

/** What cannot be used at present. */
public final class Locked extends Page {
  @Override
  protected void build() {
    check(new CheckBox(this), "I agree");
    check(new Switch(this), "Wireless");
    check(new RadioButton(this), "Cash");
    ImageButton button = addNarrow(new ImageButton(this));
    button.setImageResource(android.R.drawable.ic_menu_search);
    button.setContentDescription("Search");
    button.setOnClickListener(tapped -> {});
    button.setEnabled(false);
    SeekBar slider = add(new SeekBar(this));
    slider.setProgress(50);
    slider.setEnabled(false);
    Spinner spinner = add(new Spinner(this));
    spinner.setAdapter(new ArrayAdapter<>(this, android.R.layout.simple_spinner_item, new String[] {"Red", "Green", "Blue"}));
    spinner.setEnabled(false);
  }

  private void check(CompoundButton view, String words) {
    add(view).setText(words);
    view.setChecked(true);
    view.setEnabled(false);
  }
}

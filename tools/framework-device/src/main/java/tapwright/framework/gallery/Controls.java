package tapwright.framework.gallery;

import android.view.View;
import android.widget.Button;
import android.widget.CheckBox;
import android.widget.CompoundButton;
import android.widget.ImageButton;
import android.widget.ImageView;
import android.widget.LinearLayout;
import android.widget.RadioButton;
import android.widget.Switch;
import android.widget.TextView;

/** Texts, buttons, images, boxes and switches. */
public final class Controls extends Page {
  @Override
  protected void build() {
    add(text("Plain text"));
    add(text("Tap me")).setOnClickListener(tapped -> {});
    add(text("Hold me")).setOnLongClickListener(held -> true);
    Button button = add(new Button(this));
    button.setText("Continue");
    button.setOnClickListener(tapped -> {});
    Button disabled = add(new Button(this));
    disabled.setText("Not yet");
    disabled.setOnClickListener(tapped -> {});
    disabled.setEnabled(false);
    icon(addNarrow(new ImageButton(this)), "Search").setOnClickListener(tapped -> {});
    icon(addNarrow(new ImageButton(this)), null).setOnClickListener(tapped -> {});
    icon(addNarrow(new ImageView(this)), null);
    icon(addNarrow(new ImageView(this)), "Logo");
    check(new CheckBox(this), "I agree", false);
    check(new CheckBox(this), "Send news", true);
    check(new Switch(this), "Wireless", true);
    check(new Switch(this), "Sounds", false);
    check(new RadioButton(this), "Cash", true);
    check(new RadioButton(this), "Card", false);
    LinearLayout row = add(new LinearLayout(this));
    row.setOnClickListener(tapped -> {});
    row.addView(text("Left"));
    row.addView(text("Right"));
  }

  private TextView text(String words) {
    TextView view = new TextView(this);
    view.setText(words);
    return view;
  }

  private static View icon(ImageView view, String description) {
    view.setImageResource(android.R.drawable.ic_menu_search);
    view.setContentDescription(description);
    return view;
  }

  private void check(CompoundButton view, String words, boolean checked) {
    add(view).setText(words);
    view.setChecked(checked);
  }
}

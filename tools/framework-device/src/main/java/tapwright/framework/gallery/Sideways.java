package tapwright.framework.gallery;

import android.widget.Button;
import android.widget.HorizontalScrollView;
import android.widget.LinearLayout;

/** More buttons in a row than fit. */
public final class Sideways extends Page {
  @Override
  protected void build() {
    HorizontalScrollView scroll = add(new HorizontalScrollView(this));
    LinearLayout row = new LinearLayout(this);
    for (int at = 1; at <= 9; at++) {
      Button button = new Button(this);
      button.setText("Day " + at);
      button.setOnClickListener(tapped -> {});
      row.addView(button, new LinearLayout.LayoutParams(dp(120), LinearLayout.LayoutParams.WRAP_CONTENT));
    }
    scroll.addView(row);
  }
}

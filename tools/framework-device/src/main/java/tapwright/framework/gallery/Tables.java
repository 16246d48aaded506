package tapwright.framework.gallery;

import android.widget.TableLayout;
import android.widget.TableRow;
import android.widget.TextView;

/** A table of texts. */
public final class Tables extends Page {
  @Override
  protected void build() {
    TableLayout table = add(new TableLayout(this));
    for (String[] cells : new String[][] {{"Day", "Price"}, {"Monday", "12"}, {"Friday", "18"}}) {
      TableRow row = new TableRow(this);
      for (String cell : cells) {
        TextView text = new TextView(this);
        text.setText(cell);
        row.addView(text);
      }
      table.addView(row);
    }
  }
}

package tapwright.framework.gallery;

import android.widget.ArrayAdapter;
import android.widget.LinearLayout;
import android.widget.ListView;
import java.util.ArrayList;
import java.util.List;

/** A list longer than the display. */
public final class Lists extends Page {
  @Override
  protected void build() {
    ListView list = new ListView(this);
    List<String> rows = new ArrayList<>();
    for (int row = 1; row <= 40; row++) {
      rows.add("Row " + row);
    }
    list.setAdapter(new ArrayAdapter<>(this, android.R.layout.simple_list_item_1, rows));
    list.setOnItemClickListener((parent, view, position, id) -> {});
    add(list).setLayoutParams(new LinearLayout.LayoutParams(LinearLayout.LayoutParams.MATCH_PARENT, 0, 1));
  }
}

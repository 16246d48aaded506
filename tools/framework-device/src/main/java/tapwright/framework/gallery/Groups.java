package tapwright.framework.gallery;

import android.widget.ExpandableListView;
import android.widget.LinearLayout;
import android.widget.SimpleExpandableListAdapter;
import java.util.List;
import java.util.Map;

/** Two groups of a list, the first of which is open. */
public final class Groups extends Page {
  @Override
  protected void build() {
    String[] name = {"name"};
    int[] view = {android.R.id.text1};
    ExpandableListView list = new ExpandableListView(this);
    list.setAdapter(
        new SimpleExpandableListAdapter(
            this,
            List.of(Map.of("name", "Fruit"), Map.of("name", "Bread")),
            android.R.layout.simple_expandable_list_item_1,
            name,
            view,
            List.of(List.of(Map.of("name", "Apple"), Map.of("name", "Pear")), List.of(Map.of("name", "Roll"))),
            android.R.layout.simple_list_item_1,
            name,
            view));
    list.expandGroup(0);
    add(list).setLayoutParams(new LinearLayout.LayoutParams(LinearLayout.LayoutParams.MATCH_PARENT, 0, 1));
  }
}

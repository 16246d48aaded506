package tapwright.framework.gallery;

import android.widget.ArrayAdapter;
import android.widget.GridView;

/** Twelve tiles in three columns. */
public final class Grids extends Page {
  @Override
  protected void build() {
    GridView grid = add(new GridView(this));
    grid.setNumColumns(3);
    String[] tiles = new String[12];
    for (int tile = 0; tile < tiles.length; tile++) {
      tiles[tile] = "Tile " + (tile + 1);
    }
    grid.setAdapter(new ArrayAdapter<>(this, android.R.layout.simple_list_item_1, tiles));
    grid.setOnItemClickListener((parent, view, position, id) -> {});
  }
}

package tapwright.framework.gallery;

import android.view.ActionMode;
import android.view.Menu;
import android.view.MenuItem;
import android.widget.TextView;

/** The bar that stands over the screen while something is selected. */
public final class Selections extends Page {
  @Override
  protected void build() {
    TextView text = add(new TextView(this));
    text.setText("Milk");
    afterLayout(text, () -> text.startActionMode(new Chosen()));
  }

  private static final class Chosen implements ActionMode.Callback {
    @Override
    public boolean onCreateActionMode(ActionMode mode, Menu menu) {
      mode.setTitle("1 selected");
      menu.add("Delete").setIcon(android.R.drawable.ic_menu_delete).setShowAsAction(MenuItem.SHOW_AS_ACTION_ALWAYS);
      return true;
    }

    @Override
    public boolean onPrepareActionMode(ActionMode mode, Menu menu) {
      return false;
    }

    @Override
    public boolean onActionItemClicked(ActionMode mode, MenuItem item) {
      return true;
    }

    @Override
    public void onDestroyActionMode(ActionMode mode) {}
  }
}

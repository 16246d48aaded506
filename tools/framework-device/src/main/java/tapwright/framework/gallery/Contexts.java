package tapwright.framework.gallery;

import android.view.ContextMenu;
import android.view.View;
import android.widget.TextView;

/** The menu of a text that is held, open. */
public final class Contexts extends Page {
  private static final String[] ENTRIES = {"Rename", "Move"};

  @Override
  protected void build() {
    TextView text = add(new TextView(this));
    text.setText("Report");
    registerForContextMenu(text);
    afterLayout(text, () -> text.showContextMenu());
  }

  @Override
  public void onCreateContextMenu(ContextMenu menu, View of, ContextMenu.ContextMenuInfo info) {
    for (String entry : ENTRIES) {
      menu.add(entry);
    }
  }
}

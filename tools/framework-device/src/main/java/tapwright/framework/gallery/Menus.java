package tapwright.framework.gallery;

import android.widget.Button;
import android.widget.PopupMenu;

/** A menu at a button, opened. */
public final class Menus extends Page {
  @Override
  protected void build() {
    Button button = addNarrow(new Button(this));
    PopupMenu menu = new PopupMenu(this, button);
    menu.getMenu().add("Settings");
    menu.getMenu().add("Help");
    afterLayout(button, menu::show);
  }
}

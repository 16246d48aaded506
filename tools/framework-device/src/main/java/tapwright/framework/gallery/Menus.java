package tapwright.framework.gallery;

import android.widget.Button;
import android.widget.PopupMenu;

/** A menu at a button, opened. */
public final class Menus extends Page {
  /** The button has to be laid out before a menu can stand at it, ms. */
  private static final long LAID_OUT = 300;

  @Override
  protected void build() {
    Button button = addNarrow(new Button(this));
    PopupMenu menu = new PopupMenu(this, button);
    menu.getMenu().add("Settings");
    menu.getMenu().add("Help");
    button.postDelayed(menu::show, LAID_OUT);
  }
}

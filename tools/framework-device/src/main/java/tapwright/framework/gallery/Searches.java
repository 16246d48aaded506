package tapwright.framework.gallery;

import android.widget.SearchView;

/** A search field with a text in it. */
public final class Searches extends Page {
  @Override
  protected void build() {
    SearchView search = add(new SearchView(this));
    search.setIconifiedByDefault(false);
    search.setQueryHint("Find a recipe");
    search.setQuery("soup", false);
    search.clearFocus();
  }
}

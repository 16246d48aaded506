package tapwright.framework.gallery;

import android.view.View;
import android.view.ViewGroup;
import android.widget.FrameLayout;
import android.widget.LinearLayout;
import android.widget.TabHost;
import android.widget.TabWidget;
import android.widget.TextView;

/** Three tabs, the first of which is chosen. */
public final class Tabs extends Page {
  @Override
  protected void build() {
    TabHost host = add(new TabHost(this, null));
    LinearLayout inside = new LinearLayout(this);
    inside.setOrientation(LinearLayout.VERTICAL);
    TabWidget tabs = new TabWidget(this);
    tabs.setId(android.R.id.tabs);
    FrameLayout content = new FrameLayout(this);
    content.setId(android.R.id.tabcontent);
    wide(inside, tabs);
    wide(inside, content);
    host.addView(inside);
    host.setup();
    for (String name : new String[] {"Posts", "Likes", "Media"}) {
      host.addTab(host.newTabSpec(name).setIndicator(name).setContent(tag -> page(name)));
    }
  }

  private View page(String name) {
    TextView text = new TextView(this);
    text.setText(name + " of the week");
    return text;
  }

  private static void wide(ViewGroup parent, View child) {
    parent.addView(child, new LinearLayout.LayoutParams(LinearLayout.LayoutParams.MATCH_PARENT, LinearLayout.LayoutParams.WRAP_CONTENT));
  }
}

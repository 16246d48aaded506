package tapwright.framework.gallery;

import android.app.Activity;
import android.content.pm.ApplicationInfo;
import android.content.res.Configuration;
import android.os.Bundle;
import android.view.View;
import android.widget.LinearLayout;

/**
 * A screen of the framework's own views, in the order of the virtual device's screen of the same name in {@code
 * gallery.app.yaml}. Both are dumped and compared.
 */
public abstract class Page extends Activity {
  /** Room around the views, dp. */
  private static final int PADDING = 16;

  /** What opens a window of its own waits so long, ms: the view it belongs to has to be laid out. */
  private static final long LAID_OUT = 300;

  private LinearLayout column;

  /** Adds the views. */
  protected abstract void build();

  @Override
  protected void onCreate(Bundle saved) {
    // The app whose process this is may not have asked for it; every app of ours can be read from right to left.
    getApplicationInfo().flags |= ApplicationInfo.FLAG_SUPPORTS_RTL;
    // The platform's day and night theme would be the device maker's.
    int night = getResources().getConfiguration().uiMode & Configuration.UI_MODE_NIGHT_MASK;
    boolean dark = night == Configuration.UI_MODE_NIGHT_YES;
    setTheme(dark ? android.R.style.Theme_Material : android.R.style.Theme_Material_Light);
    super.onCreate(saved);
    setTitle("Gallery");
    column = new LinearLayout(this);
    column.setOrientation(LinearLayout.VERTICAL);
    column.setPadding(dp(PADDING), dp(PADDING), dp(PADDING), dp(PADDING));
    setContentView(column);
    build();
  }

  /** Adds a view below the others, as wide as the column. */
  protected final <V extends View> V add(V view) {
    column.addView(view, new LinearLayout.LayoutParams(LinearLayout.LayoutParams.MATCH_PARENT, LinearLayout.LayoutParams.WRAP_CONTENT));
    return view;
  }

  /** Adds a view below the others, as wide as it wants to be. */
  protected final <V extends View> V addNarrow(V view) {
    column.addView(view, new LinearLayout.LayoutParams(LinearLayout.LayoutParams.WRAP_CONTENT, LinearLayout.LayoutParams.WRAP_CONTENT));
    return view;
  }

  /** Opens something once {@code view} stands. */
  protected final void afterLayout(View view, Runnable open) {
    view.postDelayed(open, LAID_OUT);
  }

  protected final int dp(int dp) {
    return Math.round(dp * getResources().getDisplayMetrics().density);
  }
}

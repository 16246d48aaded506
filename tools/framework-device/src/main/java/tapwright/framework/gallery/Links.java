package tapwright.framework.gallery;

import android.text.SpannableString;
import android.text.Spanned;
import android.text.method.LinkMovementMethod;
import android.text.style.URLSpan;
import android.widget.TextView;

/** A text with a link in it, and one that has none. */
public final class Links extends Page {
  @Override
  protected void build() {
    SpannableString text = new SpannableString("I accept the terms of use");
    text.setSpan(new URLSpan("https://example.org/terms"), 13, text.length(), Spanned.SPAN_EXCLUSIVE_EXCLUSIVE);
    TextView linked = add(new TextView(this));
    linked.setText(text);
    linked.setMovementMethod(LinkMovementMethod.getInstance());
    TextView plain = add(new TextView(this));
    plain.setText("Nothing is sent before you agree to it, and you can take it back at any time in the settings.");
  }
}

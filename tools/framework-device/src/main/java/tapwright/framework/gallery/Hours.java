package tapwright.framework.gallery;

import android.content.Context;
import android.content.res.Configuration;
import android.os.LocaleList;
import android.text.format.DateFormat;
import android.widget.LinearLayout;
import android.widget.TextView;
import android.widget.TimePicker;
import java.util.Locale;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/** How the day is told in languages and regions: by 24 hours, or by twice twelve and what the halves are called. */
public final class Hours extends Page {
  /** The languages that the virtual device has words in, and regions that tell the time otherwise than their language's first. */
  private static final String[] TAGS = {
    "ar-EG", "bn-BD", "cs-CZ", "da-DK", "de-DE", "el-GR", "en-US", "en-AU", "en-CA", "en-GB", "en-IE", "en-IN", "en-NZ", "en-ZA",
    "es-ES", "es-CO", "es-MX", "es-US", "fa-IR", "fi-FI", "fr-FR", "fr-CA", "he-IL", "hi-IN", "hu-HU", "id-ID", "it-IT", "ja-JP",
    "ko-KR", "nb-NO", "nl-NL", "pl-PL", "pt-BR", "ro-RO", "ru-RU", "sv-SE", "th-TH", "tr-TR", "uk-UA", "vi-VN", "zh-CN", "zh-HK",
    "zh-TW"
  };

  @Override
  protected void build() {
    LinearLayout columns = null;
    for (int at = 0; at < TAGS.length; at++) {
      if (at % 2 == 0) {
        columns = add(new LinearLayout(this));
      }
      TextView line = new TextView(this);
      line.setText(TAGS[at] + ": " + told(Locale.forLanguageTag(TAGS[at])));
      columns.addView(line, new LinearLayout.LayoutParams(0, LinearLayout.LayoutParams.WRAP_CONTENT, 1));
    }
  }

  private String told(Locale locale) {
    if (DateFormat.is24HourLocale(locale)) {
      return "24";
    }
    Configuration configuration = new Configuration(getResources().getConfiguration());
    configuration.setLocales(new LocaleList(locale));
    Context there = createConfigurationContext(configuration);
    // Hidden, and what the dialog shows: the halves' names, or shorter ones where they are long.
    String[] halves = ReflectionHelpers.callStaticMethod(TimePicker.class, "getAmPmStrings", ClassParameter.from(Context.class, there));
    return "12 " + String.join(" / ", halves);
  }
}

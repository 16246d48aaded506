package tapwright.framework;

import android.app.Application;
import android.content.res.Configuration;
import android.os.LocaleList;
import android.util.DisplayMetrics;
import org.json.JSONException;
import org.json.JSONObject;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.Shadows;
import org.robolectric.shadows.ShadowDisplay;

/** The device's configuration: display, language, theme, size of text. */
final class Settings {
  private final Application application;
  private int width = Options.displayWidth();
  private int height = Options.displayHeight();
  private int rotation;

  Settings(Application application) {
    this.application = application;
  }

  int width() {
    return width;
  }

  int height() {
    return height;
  }

  int rotation() {
    return rotation;
  }

  /** Takes what the request names and leaves the rest; every activity is told, or made anew, as on a device. */
  void apply(JSONObject request, Tasks tasks) throws JSONException {
    width = request.optInt("width", width);
    height = request.optInt("height", height);
    rotation = request.optInt("rotation", rotation);
    StringBuilder qualifiers = new StringBuilder("+");
    if (request.has("locale")) {
      qualifiers.append(Qualifiers.language(request.getString("locale"))).append('-');
    }
    int density = request.optInt("density", metrics().densityDpi);
    qualifiers.append('w').append(Qualifiers.dp(width, density)).append("dp-h").append(Qualifiers.dp(height, density)).append("dp-");
    qualifiers.append(width > height ? "land" : "port").append('-');
    boolean nightNow = (current().uiMode & Configuration.UI_MODE_NIGHT_MASK) == Configuration.UI_MODE_NIGHT_YES;
    qualifiers.append(request.optBoolean("night", nightNow) ? "night" : "notnight").append('-').append(density).append("dpi");
    RuntimeEnvironment.setQualifiers(qualifiers.toString());
    // What a process formats dates and numbers by follows the device's language, as ActivityThread sees to.
    LocaleList.setDefault(current().getLocales());
    if (request.has("font_scale")) {
      RuntimeEnvironment.setFontScale((float) request.getDouble("font_scale"));
    }
    fitDisplay();
    tasks.configurationChanged();
  }

  /** Gives the display its exact size; qualifiers only know whole dp. */
  void fitDisplay() {
    ShadowDisplay display = Shadows.shadowOf(ShadowDisplay.getDefaultDisplay());
    display.setRealWidth(width);
    display.setRealHeight(height);
    display.setWidth(width);
    display.setHeight(height);
    display.setRotation(rotation);
  }

  private Configuration current() {
    return application.getResources().getConfiguration();
  }

  private DisplayMetrics metrics() {
    return application.getResources().getDisplayMetrics();
  }
}

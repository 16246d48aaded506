package tapwright.framework;

import android.app.Application;
import android.content.ComponentName;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import java.util.HashSet;
import java.util.Set;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/** What the package manager knows of the app. */
final class AppInfo {
  private AppInfo() {}

  static JSONObject of(Application application, ComponentName launcher) throws JSONException {
    PackageInfo info;
    try {
      info =
          application
              .getPackageManager()
              .getPackageInfo(
                  application.getPackageName(), PackageManager.GET_ACTIVITIES | PackageManager.GET_PERMISSIONS);
    } catch (PackageManager.NameNotFoundException impossible) {
      throw new IllegalStateException(impossible);
    }
    // What the app itself offers as a place to begin (action MAIN, in any category); others need something handed to them.
    Set<String> begun = new HashSet<>();
    Intent main = new Intent(Intent.ACTION_MAIN).setPackage(info.packageName);
    application.getPackageManager().queryIntentActivities(main, 0).forEach(found -> begun.add(found.activityInfo.name));
    JSONArray activities = new JSONArray();
    if (info.activities != null) {
      for (ActivityInfo activity : info.activities) {
        activities.put(
            new JSONObject()
                .put("class", activity.name)
                .put("label", String.valueOf(activity.loadLabel(application.getPackageManager())))
                .put("main", begun.contains(activity.name))
                .put("exported", activity.exported));
      }
    }
    JSONArray permissions = new JSONArray();
    if (info.requestedPermissions != null) {
      for (String permission : info.requestedPermissions) {
        permissions.put(permission);
      }
    }
    return new JSONObject()
        .put("package", info.packageName)
        .put("label", String.valueOf(application.getPackageManager().getApplicationLabel(application.getApplicationInfo())))
        .put("version_name", String.valueOf(info.versionName))
        .put("version_code", info.getLongVersionCode())
        .put("launcher", launcher.getClassName())
        .put("api", Options.SDK)
        .put("width", Options.displayWidth())
        .put("height", Options.displayHeight())
        .put("density", Options.density())
        .put("activities", activities)
        .put("permissions", permissions);
  }
}

package tapwright.framework;

import android.app.Application;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.robolectric.util.ReflectionHelpers;

/** What the app keeps in files: preferences, databases, caches. Static fields are not among it: only a new JVM empties them. */
final class AppData {
  private AppData() {}

  /** Deletes all of it, as {@code pm clear} does; the folder itself stays. Throws where a file cannot be deleted. */
  static void clear(Application application) {
    List<String> left = new ArrayList<>();
    deleteWithin(application.getDataDir(), left);
    // What was read from the files before would otherwise be written again.
    ReflectionHelpers.setStaticField(contexts(), "sSharedPrefsCache", null);
    if (!left.isEmpty()) {
      throw new IllegalStateException("could not be deleted: " + String.join(", ", left));
    }
  }

  private static Class<?> contexts() {
    try {
      return Class.forName("android.app.ContextImpl");
    } catch (ClassNotFoundException missing) {
      throw new IllegalStateException("the framework has no android.app.ContextImpl", missing);
    }
  }

  static void deleteWithin(File folder, List<String> left) {
    File[] inside = folder.listFiles();
    if (inside == null) {
      return;
    }
    for (File file : inside) {
      if (!java.nio.file.Files.isSymbolicLink(file.toPath())) {
        deleteWithin(file, left);
      }
      if (!file.delete()) {
        left.add(file.getPath());
      }
    }
  }
}

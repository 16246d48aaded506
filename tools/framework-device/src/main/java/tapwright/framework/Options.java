package tapwright.framework;

/** The system properties that configure a device. They cross into the sandbox, which shares no classes with {@link Main}. */
final class Options {
  /** The APK's absolute path; set by {@link Main}. */
  static final String APK = "framework.apk";
  /** The file that will say where the device listens and which token it wants. */
  static final String SOCKET = "framework.socket";
  /** Display in pixels, {@code 1080x2400}. */
  static final String DISPLAY = "framework.display";
  /** Density in dpi. */
  static final String DENSITY = "framework.density";

  /** Android 14: what the pinned framework jar is. */
  static final int SDK = 34;

  private Options() {}

  static String get(String name, String otherwise) {
    String value = System.getProperty(name);
    return value == null || value.isEmpty() ? otherwise : value;
  }

  static int density() {
    return Integer.parseInt(get(DENSITY, "420"));
  }

  static int displayWidth() {
    return Integer.parseInt(get(DISPLAY, "1080x2400").split("x")[0]);
  }

  static int displayHeight() {
    return Integer.parseInt(get(DISPLAY, "1080x2400").split("x")[1]);
  }
}

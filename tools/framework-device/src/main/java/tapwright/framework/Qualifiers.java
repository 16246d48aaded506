package tapwright.framework;

/** The device's first configuration as resource qualifiers. */
final class Qualifiers {
  private Qualifiers() {}

  /** A phone in the language {@code en-US}, upright, in the light theme. */
  static String initial() {
    int density = Options.density();
    int width = dp(Options.displayWidth(), density);
    int height = dp(Options.displayHeight(), density);
    return "en-rUS-w" + width + "dp-h" + height + "dp-port-notnight-" + density + "dpi";
  }

  static int dp(int pixels, int density) {
    return Math.round(pixels * 160f / density);
  }
}

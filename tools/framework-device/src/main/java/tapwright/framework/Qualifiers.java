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

  /** {@code de-DE} as {@code de-rDE}, {@code zh-Hans-CN} as {@code b+zh+Hans+CN}. */
  static String language(String tag) {
    String[] parts = tag.split("-");
    if (parts.length == 2 && parts[1].length() == 2) {
      return parts[0] + "-r" + parts[1];
    }
    return parts.length == 1 ? tag : "b+" + String.join("+", parts);
  }
}

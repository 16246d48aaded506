package tapwright.framework;

/** Text in XML. */
final class Markup {
  private Markup() {}

  /** As the value of an attribute; what XML cannot hold becomes a full stop, as uiautomator writes it. */
  static String escaped(CharSequence value) {
    StringBuilder xml = new StringBuilder(value.length());
    for (int at = 0; at < value.length(); at++) {
      char c = value.charAt(at);
      switch (c) {
        case '&' -> xml.append("&amp;");
        case '<' -> xml.append("&lt;");
        case '>' -> xml.append("&gt;");
        case '"' -> xml.append("&quot;");
        case '\n', '\r', '\t' -> xml.append("&#").append((int) c).append(';');
        default -> xml.append(c < ' ' || c == 0xfffe || c == 0xffff ? '.' : c);
      }
    }
    return xml.toString();
  }
}

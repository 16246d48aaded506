package tapwright.framework;

import android.graphics.Rect;
import android.view.accessibility.AccessibilityNodeInfo;

/** A node tree as {@code uiautomator dump} writes it, with {@code drawing-order} and {@code hint} as newer builds do. */
final class Dump {
  private final StringBuilder xml = new StringBuilder(1 << 15);
  private final Rect display;

  private Dump(Rect display) {
    this.display = display;
  }

  /** The document for one window; {@code rotation} in quarter turns. */
  static String of(NodeTree.Node root, Rect display, int rotation) {
    Dump dump = new Dump(display);
    dump.xml.append("<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"");
    dump.xml.append(rotation).append("\">");
    dump.node(root, 0);
    return dump.xml.append("</hierarchy>").toString();
  }

  private void node(NodeTree.Node node, int index) {
    AccessibilityNodeInfo info = node.info();
    xml.append("<node");
    attribute("index", Integer.toString(index));
    attribute("text", info.getText());
    attribute("resource-id", info.getViewIdResourceName());
    attribute("class", info.getClassName());
    attribute("package", info.getPackageName());
    attribute("content-desc", info.getContentDescription());
    attribute("checkable", info.isCheckable());
    attribute("checked", info.isChecked());
    attribute("clickable", info.isClickable());
    attribute("enabled", info.isEnabled());
    attribute("focusable", info.isFocusable());
    attribute("focused", info.isFocused());
    attribute("scrollable", info.isScrollable());
    attribute("long-clickable", info.isLongClickable());
    attribute("password", info.isPassword());
    attribute("selected", info.isSelected());
    attribute("bounds", bounds(node.bounds()));
    attribute("drawing-order", Integer.toString(info.getDrawingOrder()));
    attribute("hint", info.getHintText());
    xml.append('>');
    for (int at = 0; at < node.children().size(); at++) {
      NodeTree.Node child = node.children().get(at);
      if (child.info().isVisibleToUser()) {
        node(child, at);
      }
    }
    xml.append("</node>");
  }

  /** The bounds within the display; those wholly outside stay as they are. */
  private String bounds(Rect bounds) {
    Rect seen = new Rect(bounds);
    seen.intersect(display);
    return seen.toShortString();
  }

  private void attribute(String name, boolean value) {
    attribute(name, Boolean.toString(value));
  }

  private void attribute(String name, CharSequence value) {
    xml.append(' ').append(name).append("=\"");
    if (value != null) {
      xml.append(Markup.escaped(value));
    }
    xml.append('"');
  }
}

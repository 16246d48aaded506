package tapwright.framework;

import android.graphics.Rect;
import android.view.View;
import android.view.ViewGroup;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityNodeProvider;
import java.util.ArrayList;
import java.util.List;
import org.robolectric.util.ReflectionHelpers;

/** A window's accessibility nodes, those of its views and those that views provide for parts of themselves. */
final class NodeTree {
  /** A node and its children, those that the user cannot see included. */
  record Node(AccessibilityNodeInfo info, List<Node> children) {
    Rect bounds() {
      Rect bounds = new Rect();
      info.getBoundsInScreen(bounds);
      return bounds;
    }
  }

  /** What uiautomator's connection asks for: views without importance too, and their ids. */
  private static final int FETCH =
      AccessibilityNodeInfo.FLAG_SERVICE_REQUESTS_INCLUDE_NOT_IMPORTANT_VIEWS
          | AccessibilityNodeInfo.FLAG_SERVICE_REQUESTS_REPORT_VIEW_IDS;

  private NodeTree() {}

  /** Reads the tree below a window's root view. */
  static Node of(View root) {
    Object attach = ReflectionHelpers.getField(root, "mAttachInfo");
    int before = ReflectionHelpers.<Integer>getField(attach, "mAccessibilityFetchFlags");
    ReflectionHelpers.setField(attach, "mAccessibilityFetchFlags", FETCH);
    try {
      return node(root);
    } finally {
      ReflectionHelpers.setField(attach, "mAccessibilityFetchFlags", before);
    }
  }

  private static Node node(View view) {
    AccessibilityNodeProvider provider = view.getAccessibilityNodeProvider();
    if (provider != null) {
      AccessibilityNodeInfo host = provider.createAccessibilityNodeInfo(AccessibilityNodeProvider.HOST_VIEW_ID);
      if (host != null) {
        return virtual(view, provider, host);
      }
    }
    List<Node> children = new ArrayList<>();
    for (View child : children(view)) {
      children.add(node(child));
    }
    return new Node(view.createAccessibilityNodeInfo(), children);
  }

  private static List<View> children(View view) {
    ArrayList<View> children = new ArrayList<>();
    if (view instanceof ViewGroup group) {
      group.addChildrenForAccessibility(children);
    }
    return children;
  }

  private static Node virtual(View host, AccessibilityNodeProvider provider, AccessibilityNodeInfo info) {
    List<Node> children = new ArrayList<>();
    for (int at = 0; at < info.getChildCount(); at++) {
      long id = info.getChildId(at);
      int inHost = AccessibilityNodeInfo.getVirtualDescendantId(id);
      AccessibilityNodeInfo child = inHost == AccessibilityNodeProvider.HOST_VIEW_ID ? null : provider.createAccessibilityNodeInfo(inHost);
      if (child != null) {
        children.add(virtual(host, provider, child));
      } else if (host instanceof ViewGroup group) {
        View real = findByAccessibilityId(group, AccessibilityNodeInfo.getAccessibilityViewId(id));
        if (real != null) {
          children.add(node(real));
        }
      }
    }
    return new Node(info, children);
  }

  private static View findByAccessibilityId(ViewGroup group, int id) {
    for (View child : children(group)) {
      if (child.getAccessibilityViewId() == id) {
        return child;
      }
    }
    return null;
  }
}

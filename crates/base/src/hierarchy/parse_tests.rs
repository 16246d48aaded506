//! What parsing promises, sentence by sentence.

use crate::domain::Rect;
use crate::hierarchy::tree_builder::{MAX_DEPTH, MAX_NODES};
use crate::hierarchy::{UiNode, UiTree, parse, serialise};
use proptest::prelude::*;

const TWO: &str = concat!(
    "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"1\">",
    "<node index=\"0\" text=\"\" class=\"android.widget.FrameLayout\" package=\"org.example\" bounds=\"[0,0][1080,2400]\">",
    "<node NAF=\"true\" index=\"2\" text=\"Pay &amp; go\" resource-id=\"org.example:id/pay\" class=\"android.widget.Button\" ",
    "package=\"org.example\" content-desc='say \"pay\"' clickable=\"true\" enabled=\"true\" bounds=\"[10,20][300,90]\" new-thing=\"1\" />",
    "</node></hierarchy>"
);

fn messages(tree: &UiTree) -> String {
    tree.diagnostics.iter().map(|d| d.message.as_str()).collect::<Vec<_>>().join("\n")
}

#[test]
fn an_ordinary_dump_is_read_without_a_word() {
    let tree = parse(TWO.as_bytes());
    assert_eq!(messages(&tree), "");
    assert_eq!((tree.rotation, tree.nodes.len()), (1, 2));
    let pay = &tree.nodes[1];
    assert_eq!((pay.parent, pay.depth, pay.index), (Some(0), 1, 2));
    assert_eq!((pay.text.as_str(), pay.content_desc.as_str()), ("Pay & go", "say \"pay\""));
    assert_eq!(pay.bounds, Rect::new(10, 20, 300, 90));
    assert!(pay.clickable && pay.enabled && !pay.checked);
    assert_eq!(tree.path(1), "FrameLayout[0]/Button[2]");
}

#[test]
fn noise_before_and_after_is_left_out_and_named() {
    let noisy = format!("UI hierchary dumped to: /sdcard/x.xml\n{TWO}UI hierchary dumped to: /dev/tty\n");
    let tree = parse(noisy.as_bytes());
    assert_eq!(tree.nodes, parse(TWO.as_bytes()).nodes);
    assert!(messages(&tree).contains("before the hierarchy"), "{}", messages(&tree));
    assert!(messages(&tree).contains("after the hierarchy"), "{}", messages(&tree));
}

#[test]
fn an_error_saved_as_a_dump_is_quoted() {
    let tree = parse(b"ERROR: null root node returned by UiTestAutomationBridge.\n");
    assert!(tree.nodes.is_empty());
    assert!(messages(&tree).contains("null root node"), "{}", messages(&tree));
    assert!(messages(&parse(b"")).contains("empty"));
}

#[test]
fn a_cut_dump_keeps_its_whole_nodes_and_says_so() {
    for cut in [TWO.len() - 13, TWO.len() - 5, TWO.find("new-thing").unwrap()] {
        let tree = parse(&TWO.as_bytes()[..cut]);
        assert!(!tree.nodes.is_empty());
        assert!(messages(&tree).contains("cut off inside") || messages(&tree).contains("ends inside a tag"));
    }
    assert_eq!(parse(&TWO.as_bytes()[..TWO.find("new-thing").unwrap()]).nodes.len(), 1);
}

#[test]
fn appium_tags_name_the_class() {
    let tree = parse(
        b"<hierarchy class=\"hierarchy\" rotation=\"0\"><android.widget.FrameLayout index=\"0\" bounds=\"[0,0][9,9]\">\
          <android.widget.EditText text=\"Name\" showing-hint=\"true\" displayed=\"false\" bounds=\"[0,0][9,9]\"/>\
          </android.widget.FrameLayout></hierarchy>",
    );
    assert_eq!(messages(&tree), "");
    assert_eq!(tree.nodes[1].class, "android.widget.EditText");
    assert!(tree.nodes[1].showing_hint && tree.nodes[1].invisible);
}

#[test]
fn windows_are_stacked_lowest_first_and_a_second_display_left_out() {
    let tree = parse(
        b"<displays><display id=\"0\">\
          <window index=\"0\" title=\"Keyboard\" layer=\"9\" type=\"TYPE_INPUT_METHOD\" bounds=\"[0,5][9,9]\"><hierarchy rotation=\"0\"><node text=\"q\" bounds=\"[0,5][9,9]\"/></hierarchy></window>\
          <window index=\"1\" title=\"App\" layer=\"1\" type=\"TYPE_APPLICATION\" active=\"true\"><hierarchy rotation=\"0\"><node text=\"a\" bounds=\"[0,0][9,9]\"><node text=\"b\" bounds=\"[0,0][9,9]\"/></node></hierarchy></window>\
          </display><display id=\"2\"><window layer=\"1\"><hierarchy><node text=\"car\"/></hierarchy></window></display></displays>",
    );
    let texts: Vec<_> = tree.nodes.iter().map(|n| n.text.as_str()).collect();
    assert_eq!(texts, ["a", "b", "q"]);
    assert_eq!(tree.nodes[1].parent, Some(0));
    assert_eq!(tree.nodes[2].parent, None);
    assert_eq!(
        tree.windows.iter().map(|w| (w.title.as_str(), w.nodes.clone())).collect::<Vec<_>>(),
        [("App", 0..2), ("Keyboard", 2..3)]
    );
    assert!(messages(&tree).contains("second display"));
}

#[test]
fn a_swallowed_quote_does_not_cost_the_nodes_behind_it() {
    let broken = TWO.replace("text=\"\" class", "text=\"Zur\u{fffd} class");
    let tree = parse(broken.as_bytes());
    assert_eq!(tree.nodes.len(), 2);
    assert_eq!(tree.nodes[0].class, "android.widget.FrameLayout");
    assert_eq!(tree.nodes[1], parse(TWO.as_bytes()).nodes[1]);
    assert!(messages(&tree).contains("salvaged"), "{}", messages(&tree));
}

#[test]
fn mismatched_and_missing_ends_are_named_and_survived() {
    let tree = parse(b"<hierarchy><node text=\"a\" bounds=\"[0,0][1,1]\"></wrong><node text=\"b\" bounds=\"[0,0][1,1]\"/></hierarchy>");
    assert_eq!(tree.nodes.len(), 2);
    assert_eq!(tree.nodes[1].parent, Some(0));
    assert!(messages(&tree).contains("</wrong> closes nothing"), "{}", messages(&tree));
    assert!(messages(&tree).contains("closes 1 open"), "{}", messages(&tree));
}

#[test]
fn depth_and_number_of_nodes_are_limited() {
    let deep =
        format!("<hierarchy>{}{}</hierarchy>", "<node bounds=\"[0,0][1,1]\">".repeat(5000), "</node>".repeat(5000));
    let tree = parse(deep.as_bytes());
    assert_eq!(tree.nodes.len(), MAX_DEPTH);
    assert!(messages(&tree).contains("nested deeper"), "{}", messages(&tree));
    let wide = format!("<hierarchy>{}</hierarchy>", "<node bounds=\"[0,0][1,1]\"/>".repeat(MAX_NODES + 50));
    let tree = parse(wide.as_bytes());
    assert_eq!(tree.nodes.len(), MAX_NODES);
    assert!(messages(&tree).contains("more than"), "{}", messages(&tree));
}

#[test]
fn only_the_first_of_two_dumps_in_one_file_is_read() {
    let tree = parse(format!("{TWO}{TWO}").as_bytes());
    assert_eq!(tree.nodes.len(), 2);
    assert!(messages(&tree).contains("second hierarchy"), "{}", messages(&tree));
}

fn any_text() -> impl Strategy<Value = String> {
    "[ -~\\n\\tä中😀\u{e001}]{0,12}"
}

prop_compose! {
    fn any_node()(text in any_text(), resource_id in any_text(), class in "[a-z.A-Z$]{1,12}", content_desc in any_text(),
                  hint in any_text(), flags in any::<[bool; 10]>(), bounds in any::<[i32; 4]>(), index in 0usize..40,
                  drawing_order in proptest::option::of(-2i32..40), up in 0usize..4) -> (UiNode, usize) {
        let [checkable, checked, clickable, enabled, focusable, focused, scrollable, long_clickable, password, selected] = flags;
        (UiNode { text, resource_id, class, content_desc, hint, checkable, checked, clickable, enabled, focusable, focused,
                  scrollable, long_clickable, password, selected, bounds: bounds.into(), index, drawing_order,
                  ..UiNode::default() }, up)
    }
}

prop_compose! {
    fn any_tree()(drawn in proptest::collection::vec(any_node(), 1..25), rotation in 0u8..4) -> UiTree {
        let mut nodes: Vec<UiNode> = Vec::new();
        for (mut node, up) in drawn {
            // The parent is the previous node or one of its ancestors, so that the order stays pre-order.
            let mut parent = nodes.len().checked_sub(1);
            for _ in 0..up {
                parent = parent.and_then(|p| nodes[p].parent);
            }
            node.parent = parent;
            node.depth = parent.map_or(0, |p| nodes[p].depth + 1);
            nodes.push(node);
        }
        UiTree { rotation, nodes, ..UiTree::default() }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_reads_back_the_same(tree in any_tree()) {
        let read = parse(serialise(&tree).as_bytes());
        prop_assert_eq!(read, tree);
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        parse(&bytes);
    }

    #[test]
    fn arbitrary_markup_never_panics(pieces in proptest::collection::vec(prop_oneof![
        Just("<node "), Just("</node>"), Just("<hierarchy>"), Just("</hierarchy>"), Just("text=\""), Just("\""), Just("'"), Just("/>"),
        Just(">"), Just("<"), Just("bounds=\"[0,0][5,5]\""), Just("é😀"), Just("<!--"), Just("-->"), Just("<![CDATA["), Just("]]>"), Just("<?"),
        Just("&#xD83D;"), Just(" = "), Just("<a.b "), Just("<window>"), Just("<display>"), Just("<!DOCTYPE [")], 0..60)) {
        let tree = parse(pieces.concat().as_bytes());
        for (index, node) in tree.nodes.iter().enumerate() {
            prop_assert!(node.parent.is_none_or(|parent| parent < index));
        }
    }

    #[test]
    fn damaged_dumps_never_panic(tree in any_tree(), damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
                                 cut in any::<prop::sample::Index>()) {
        let mut bytes = serialise(&tree).into_bytes();
        for (at, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        bytes.truncate(cut.index(bytes.len()) + 1);
        parse(&bytes);
    }
}

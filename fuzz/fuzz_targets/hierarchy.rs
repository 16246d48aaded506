//! Any bytes are a dump: parsing and perceiving them never fails, and what is kept reads the same again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tapwright::domain::Size;
use tapwright::hierarchy::{Screen, ScreenInput, parse, serialise, xuat_filter};

fuzz_target!(|bytes: &[u8]| {
    let tree = parse(bytes);
    for (index, node) in tree.nodes.iter().enumerate() {
        assert!(node.parent.is_none_or(|parent| parent < index));
    }
    assert_eq!(parse(serialise(&tree).as_bytes()).nodes.len(), tree.nodes.len());
    xuat_filter(bytes);
    let screen = Screen::perceive(ScreenInput {
        hierarchy: bytes,
        screenshot: None,
        display: Size::new(1080, 2400),
        foreground: None,
        keyboard_shown: false,
    });
    assert!(screen.widgets.iter().all(|widget| widget.node < tree.nodes.len()));
});

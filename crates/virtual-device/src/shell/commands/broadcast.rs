//! Broadcasts something on the device listens to: `ADBKeyBoard`'s (`AdbIME.java`), while it is the keyboard in use.

use super::input_method::{ADB_KEYBOARD, current};
use super::{Invocation, digest};
use crate::ElementSnapshot;
use crate::system::VirtualSystem;

const KEY_ENTER: u32 = 66;
const KEY_DEL: u32 = 67;
const KEY_MOVE_END: u32 = 123;

/// Hands a broadcast to its listener; `words` are the arguments of `am broadcast`.
pub(super) fn deliver(invocation: &Invocation<'_>, words: &[&str]) {
    let value = |flags: &[&str], key: Option<&str>| {
        words
            .windows(3)
            .find(|three| flags.contains(&three[0]) && key.is_none_or(|key| key == three[1]))
            .map(|three| three[2])
    };
    let action = words.windows(2).find(|two| two[0] == "-a").map(|two| two[1]);
    let Some(action) = action.filter(|action| action.starts_with("ADB_")) else { return };
    let mut system = invocation.system.lock();
    if current(&system) != ADB_KEYBOARD {
        return;
    }
    let text = value(&["--es", "-e"], Some("msg"));
    match action {
        "ADB_INPUT_TEXT" => {
            if let Some(text) = text {
                system.type_text(text);
            }
        }
        "ADB_INPUT_B64" => {
            if let Some(bytes) = text.and_then(|text| digest::decode(text.as_bytes())) {
                system.type_text(&String::from_utf8_lossy(&bytes));
            }
        }
        "ADB_INPUT_CHARS" => {
            if let Some(codes) = value(&["--eia"], Some("chars")) {
                let codes = codes.split(',').filter_map(|code| code.trim().parse().ok().and_then(char::from_u32));
                system.type_text(&codes.collect::<String>());
            }
        }
        "ADB_INPUT_CODE" => {
            if let Some(code) = value(&["--ei"], Some("code")).and_then(|code| code.parse().ok()) {
                system.key(code);
            }
        }
        // An editor action is what the keyboard's action key does.
        "ADB_EDITOR_CODE" if value(&["--ei"], Some("code")).is_some_and(|code| code.parse::<u32>().is_ok()) => {
            system.key(KEY_ENTER);
        }
        "ADB_CLEAR_TEXT" => clear_focused(&mut system),
        _ => {}
    }
}

/// Empties the field that has the focus, as selecting everything and deleting it does.
pub(super) fn clear_focused(system: &mut VirtualSystem) {
    let length = focused_length(&system.front_process().snapshot());
    system.key(KEY_MOVE_END);
    for _ in 0..length {
        system.key(KEY_DEL);
    }
}

/// Characters in the field that has the focus. An empty field shows its hint; deleting nothing does no harm.
fn focused_length(node: &ElementSnapshot) -> usize {
    if node.focused && node.class.ends_with("EditText") {
        return node.text.chars().count();
    }
    node.children.iter().map(focused_length).max().unwrap_or(0)
}

//! A numeric keypad drawn by the app: ten digits in a grid, and the delete key beside them.

use super::{Role, Widget};
use crate::domain::Rect;

/// Marks the keys of a keypad, if there is one. A digit key is called by its digit alone (`2`, not `2, ABC`).
pub(super) fn mark_keypad(widgets: &mut [Widget]) {
    let keys: Vec<(usize, char)> =
        widgets.iter().enumerate().filter_map(|(at, widget)| Some((at, digit(widget)?))).collect();
    let mut digits: Vec<char> = keys.iter().map(|(_, digit)| *digit).collect();
    digits.sort_unstable();
    digits.dedup();
    if digits.len() < 10 || !is_grid(keys.iter().map(|(at, _)| widgets[*at].bounds)) {
        return;
    }
    let mut pad = widgets[keys[0].0].bounds;
    for &(at, digit) in &keys {
        let widget = &mut widgets[at];
        pad = union(pad, widget.bounds);
        widget.role = Role::KeypadKey;
        widget.label = digit.to_string();
    }
    let key = widgets[keys[0].0].bounds;
    let reach =
        Rect::new(pad.left - key.width(), pad.top - key.height(), pad.right + key.width(), pad.bottom + key.height());
    // Amounts have a point, in its corner.
    for widget in widgets.iter_mut() {
        let decimal = matches!(widget.label.as_str(), "." | ",") && widget.clickable;
        if decimal && widget.role != Role::Field && pad.encloses(widget.bounds) {
            widget.role = Role::KeypadKey;
        }
    }
    let near = |widget: &Widget| widget.clickable && widget.role == Role::Button && reach.encloses(widget.bounds);
    if let Some(delete) = widgets.iter_mut().find(|widget| near(widget) && deletes(widget)) {
        delete.role = Role::KeypadKey;
        return;
    }
    // A delete key often is a bare picture at the end of the last row.
    let unnamed = widgets
        .iter_mut()
        .filter(|widget| near(widget) && widget.label.is_empty() && pad.encloses(widget.bounds))
        .max_by_key(|widget| (widget.bounds.top, widget.bounds.left));
    if let Some(delete) = unnamed {
        delete.role = Role::KeypadKey;
        "delete".clone_into(&mut delete.label);
    }
}

fn digit(widget: &Widget) -> Option<char> {
    if !widget.clickable || matches!(widget.role, Role::Field | Role::Tab) {
        return None;
    }
    let first = widget.label.split([',', ' ']).next()?;
    let mut chars = first.chars();
    let letters = widget.label.chars().skip(1).all(|c| !c.is_ascii_digit()) && widget.label.chars().count() <= 12;
    match (chars.next(), chars.next()) {
        (Some(c), None) if c.is_ascii_digit() && letters => Some(c),
        _ => None,
    }
}

/// At least two rows and two columns.
fn is_grid(keys: impl Iterator<Item = Rect>) -> bool {
    let (mut rows, mut columns): (Vec<i32>, Vec<i32>) = (Vec::new(), Vec::new());
    for key in keys {
        let center = key.center();
        if !rows.iter().any(|row| (row - center.y).abs() * 2 < key.height()) {
            rows.push(center.y);
        }
        if !columns.iter().any(|column| (column - center.x).abs() * 2 < key.width()) {
            columns.push(center.x);
        }
    }
    rows.len() >= 2 && columns.len() >= 2
}

fn deletes(widget: &Widget) -> bool {
    const WORDS: &[&str] = &[
        "delete",
        "backspace",
        "erase",
        "clear",
        "remove",
        "⌫",
        "del",
        "删除",
        "刪除",
        "退格",
        "삭제",
        "지우기",
        "borrar",
        "eliminar",
        "supprimer",
        "effacer",
        "löschen",
        "apagar",
        "excluir",
        "удалить",
        "стереть",
        "hapus",
        "xóa",
        "sil",
        "削除",
        "حذف",
        "מחק",
        "ลบ",
        "usuń",
    ];
    let name = format!("{} {}", widget.label, widget.id_words).to_lowercase();
    WORDS.iter().any(|word| {
        if word.is_ascii() && word.len() <= 3 {
            name.split(|c: char| !c.is_alphanumeric()).any(|part| part == *word)
        } else {
            name.contains(word)
        }
    })
}

fn union(a: Rect, b: Rect) -> Rect {
    Rect::new(a.left.min(b.left), a.top.min(b.top), a.right.max(b.right), a.bottom.max(b.bottom))
}

#[cfg(test)]
mod tests {
    use crate::domain::Size;
    use crate::hierarchy::{Role, Screen, ScreenInput};
    use std::fmt::Write;

    fn screen(last_row: &[&str]) -> Screen {
        let mut nodes = String::new();
        let rows: [&[&str]; 4] = [&["1", "2", "3"], &["4", "5", "6"], &["7", "8", "9"], last_row];
        for (row, keys) in rows.iter().enumerate() {
            for (column, key) in keys.iter().enumerate() {
                let (left, top) = (column * 300, 1000 + row * 200);
                write!(
                    nodes,
                    r#"<node class="android.widget.TextView" text="{key}" clickable="true" package="a" enabled="true" bounds="[{left},{top}][{},{}]"/>"#,
                    left + 300,
                    top + 200
                )
                .unwrap();
            }
        }
        let dump = format!(
            r#"<hierarchy rotation="0"><node class="android.widget.FrameLayout" package="a" enabled="true" bounds="[0,0][900,2000]">{nodes}</node></hierarchy>"#
        );
        Screen::perceive(ScreenInput {
            hierarchy: dump.as_bytes(),
            screenshot: None,
            display: Size::new(900, 2000),
            foreground: None,
            keyboard_shown: false,
        })
    }

    #[test]
    fn the_point_of_a_keypad_for_amounts_is_one_of_its_keys() {
        let keys = screen(&[".", "0", "⌫"]).keypad_keys();
        assert_eq!(keys.keys().collect::<String>(), ".0123456789");
        assert_eq!(keys[&'.'], crate::domain::Point::new(150, 1700));
        let without = screen(&["", "0", "⌫"]);
        assert_eq!(without.keypad_keys().len(), 10);
        assert!(without.widgets.iter().any(|widget| widget.role == Role::KeypadKey && widget.label != "0"));
    }
}

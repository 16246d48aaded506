//! Which activity has the focus (`dumpsys window`, `dumpsys activity`), and whether the soft keyboard is up
//! (`dumpsys input_method`).

/// An activity as the system prints it, its class spelled out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FocusedActivity {
    /// Application id.
    pub package: String,
    /// Fully qualified class.
    pub activity: String,
}

/// The focused activity in `dumpsys window [displays|windows]`: `mCurrentFocus` when that window belongs to an activity,
/// else `mFocusedApp` (a dialog, popup or the notification shade has a title without a component).
pub fn parse_focus(text: &str) -> Option<FocusedActivity> {
    first_component(text, &["mCurrentFocus="]).or_else(|| first_component(text, &["mFocusedApp="]))
}

/// The resumed activity in `dumpsys activity activities`; the line's name changed over the years.
pub fn parse_resumed_activity(text: &str) -> Option<FocusedActivity> {
    first_component(
        text,
        &[
            "topResumedActivity=",
            "topResumedActivity:",
            "mResumedActivity:",
            "mResumedActivity=",
            "ResumedActivity:",
            "mFocusedActivity:",
        ],
    )
}

/// `mInputShown`; `None` when the dump does not say. `mIsInputViewShown` can stay true after the keyboard has gone and
/// is not looked at.
pub fn parse_keyboard_shown(text: &str) -> Option<bool> {
    text.split_whitespace().find_map(|word| match word.strip_prefix("mInputShown=")?.trim_end_matches([',', ';']) {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    })
}

fn first_component(text: &str, keys: &[&str]) -> Option<FocusedActivity> {
    keys.iter().find_map(|key| {
        text.lines().find_map(|line| {
            let value = line.trim_start().strip_prefix(key)?;
            value.split_whitespace().find_map(parse_component)
        })
    })
}

/// `pkg/cls`, `pkg/.Cls`, with any closing braces behind it.
pub(super) fn parse_component(word: &str) -> Option<FocusedActivity> {
    let (package, class) = word.trim_end_matches(['}', ')', ',', ':']).split_once('/')?;
    let name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$');
    let plausible = |text: &str| !text.is_empty() && text.chars().all(name);
    if !plausible(package) || !plausible(class) || package.starts_with('.') {
        return None;
    }
    let activity = if class.starts_with('.') { format!("{package}{class}") } else { class.to_owned() };
    Some(FocusedActivity { package: package.to_owned(), activity })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(found: Option<FocusedActivity>) -> String {
        found.map_or_else(|| "-".to_owned(), |found| format!("{}/{}", found.package, found.activity))
    }

    #[test]
    fn the_focus_is_read_in_every_release_s_form() {
        for (dump, activity) in [
            ("  mCurrentFocus=Window{48b4735 u0 com.a/com.a.ui.Main}\n", "com.a/com.a.ui.Main"),
            (
                "  mCurrentFocus=null\n  mFocusedApp=AppWindowToken{1a2 token=Token{3b4 ActivityRecord{5c6 u0 \
                 com.a/.Main t12}}}\n",
                "com.a/com.a.Main",
            ),
            ("mFocusedApp=ActivityRecord{5c6 u0 com.a/.Main t12}", "com.a/com.a.Main"),
            ("  mFocusedApp=ActivityRecord{5c6 u0 com.a/.Main} t12}\n", "com.a/com.a.Main"),
            ("mFocusedApp=ActivityRecord{227887118 u0 com.a/.Main$Inner t2}", "com.a/com.a.Main$Inner"),
            (
                "mCurrentFocus=Window{1 u0 NotificationShade}\nmFocusedApp=ActivityRecord{2 u0 com.a/.Main t1}",
                "com.a/com.a.Main",
            ),
            ("mCurrentFocus=Window{1 u0 Application Not Responding: com.a}", "-"),
            ("mCurrentFocus=null", "-"),
            ("", "-"),
        ] {
            assert_eq!(shown(parse_focus(dump)), activity, "{dump}");
        }
    }

    #[test]
    fn with_several_displays_the_first_that_names_an_activity_counts() {
        let dump = "  mCurrentFocus=null\n  mCurrentFocus=Window{1 u0 com.b/.Two}\n";
        assert_eq!(shown(parse_focus(dump)), "com.b/com.b.Two");
    }

    #[test]
    fn the_resumed_activity_is_read_in_every_release_s_form() {
        for line in [
            "  mFocusedActivity: ActivityRecord{1 u0 com.a/.Main t1}",
            "    mResumedActivity: ActivityRecord{1 u0 com.a/.Main t1}",
            "  topResumedActivity=ActivityRecord{1 u0 com.a/.Main t1}",
            "  ResumedActivity: ActivityRecord{1 u0 com.a/.Main t1}",
        ] {
            assert_eq!(shown(parse_resumed_activity(line)), "com.a/com.a.Main", "{line}");
        }
    }

    #[test]
    fn only_m_input_shown_tells_about_the_keyboard() {
        assert_eq!(parse_keyboard_shown("  mShowRequested=true mInputShown=true\n"), Some(true));
        assert_eq!(parse_keyboard_shown("  mIsInputViewShown=true\n  mInputShown=false\n"), Some(false));
        assert_eq!(parse_keyboard_shown("mIsInputViewShown=true"), None);
    }
}

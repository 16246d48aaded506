//! The patterns of a case's `touches:` and the paths they name.

use super::Case;

impl Case {
    /// Whether the case says of itself that a change of this path touches it. Paths are written with `/`, from the
    /// repository's top folder.
    pub fn is_touched_by(&self, path: &str) -> bool {
        self.touches.iter().any(|pattern| names_path(pattern, path))
    }
}

/// Whether `pattern` names `path`, or a folder above it. Both are written with `/`, from the repository's top folder.
///
/// `*` and `?` stay within a folder's or file's name, `**` stands for any number of folders. A pattern without `/` names
/// files and folders of that name anywhere.
pub fn names_path(pattern: &str, path: &str) -> bool {
    let path: Vec<&str> = path.split('/').collect();
    let mut parts: Vec<&str> = pattern.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    if parts.is_empty() {
        return false;
    }
    if !pattern.trim_end_matches('/').contains('/') {
        parts.insert(0, "**");
    }
    parts.dedup_by(|one, other| *one == "**" && *other == "**");
    leads_to(&parts, &path)
}

fn leads_to(parts: &[&str], path: &[&str]) -> bool {
    match (parts, path) {
        // What is left of the path lies in the folder that was named.
        ([], _) | (["**"], [_, ..]) => true,
        (["**", rest @ ..], [_, below @ ..]) => leads_to(rest, path) || leads_to(parts, below),
        ([part, rest @ ..], [name, below @ ..]) => is_like(part.as_bytes(), name.as_bytes()) && leads_to(rest, below),
        (_, []) => false,
    }
}

/// Compares one name with a pattern of `*` and `?`, going back to the last `*` where it does not fit.
fn is_like(pattern: &[u8], name: &[u8]) -> bool {
    let (mut at, mut reached) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while reached < name.len() {
        match pattern.get(at) {
            Some(b'*') => {
                star = Some((at, reached));
                at += 1;
            }
            Some(wanted) if *wanted == b'?' || *wanted == name[reached] => {
                at += 1;
                reached += 1;
            }
            _ => {
                let Some((begun, taken)) = star else { return false };
                star = Some((begun, taken + 1));
                at = begun + 1;
                reached = taken + 1;
            }
        }
    }
    pattern[at..].iter().all(|rest| *rest == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_names_files_and_everything_below_a_folder() {
        for (pattern, path, expected) in [
            ("app/src/login/**", "app/src/login/Form.kt", true),
            ("app/src/login/**", "app/src/login/view/Form.kt", true),
            ("app/src/login/**", "app/src/logout/Form.kt", false),
            ("app/src/login", "app/src/login/view/Form.kt", true),
            ("app/src/login/", "app/src/login/view/Form.kt", true),
            ("app/src/log", "app/src/login/Form.kt", false),
            ("**/login/*.kt", "app/src/login/Form.kt", true),
            ("**/login/*.kt", "login/Form.kt", true),
            ("**/login/*.kt", "app/login/Form.java", false),
            ("*.gradle", "app/build.gradle", true),
            ("build.gradle", "app/build.gradle", true),
            ("/build.gradle", "app/build.gradle", false),
            ("app/*/strings.xml", "app/res/strings.xml", true),
            ("app/*/strings.xml", "app/res/values/strings.xml", false),
            ("app/**/strings.xml", "app/res/values/strings.xml", true),
            ("app/**/strings.xml", "app/strings.xml", true),
            ("Form?.kt", "Form1.kt", true),
            ("a*b*c", "axxbyybzc", true),
            ("a*b*c", "axxbyybz", false),
            ("**", "anything/at/all", true),
            ("./app/**", "app/a", true),
            ("", "a", false),
            ("/", "a", false),
        ] {
            assert_eq!(names_path(pattern, path), expected, "{pattern:?} {path:?}");
        }
    }

    #[test]
    fn a_pattern_made_to_be_slow_is_not() {
        let pattern = format!("{}z", "**/a*/".repeat(8));
        assert!(!names_path(&pattern, &"aa/".repeat(12)));
        assert!(!is_like("*a".repeat(40).as_bytes(), "a".repeat(39).as_bytes()));
    }
}

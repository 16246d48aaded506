//! `requirements.txt` beside the manifest: the hashes a package's files may have, in pip's own form.

/// The sha256 sums, lower-case hex, that `requirements` allows for `pin` (`name==version`); `None` where it allows none.
pub(super) fn pinned_hashes(requirements: &str, pin: &str) -> Option<Vec<String>> {
    let joined = requirements.replace("\\\r\n", " ").replace("\\\n", " ");
    let mut entries = joined.lines().map(|line| line.split_whitespace());
    let entry = entries.find(|words| words.clone().next() == Some(pin))?;
    let entry = entry.take_while(|word| !word.starts_with('#'));
    let hashes: Vec<String> =
        entry.filter_map(|word| word.strip_prefix("--hash=sha256:")).map(str::to_ascii_lowercase).collect();
    (!hashes.is_empty()).then_some(hashes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn a_package_has_the_hashes_of_its_own_entry_and_no_others() {
        let text = "# comment\none==1.0 \\\n    --hash=sha256:AA \\\n    --hash=sha256:bb\ntwo==2.0\n\
                    three==3 --hash=sha256:cc # --hash=sha256:dd\n";
        for (pin, expected) in [
            ("one==1.0", Some(vec!["aa", "bb"])),
            ("one==1.1", None),
            ("two==2.0", None),
            ("three==3", Some(vec!["cc"])),
            ("one", None),
        ] {
            let expected = expected.map(|hashes| hashes.into_iter().map(str::to_owned).collect());
            assert_eq!(pinned_hashes(text, pin), expected, "{pin}");
        }
    }

    #[test]
    fn every_package_of_the_bundled_manifest_is_pinned() {
        let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
        let manifest = super::super::Manifest::load(&models).unwrap();
        let text = std::fs::read_to_string(manifest.requirements()).unwrap();
        for package in manifest.runtimes() {
            assert!(pinned_hashes(&text, &format!("{}=={}", package.name, package.version)).is_some());
        }
    }
}

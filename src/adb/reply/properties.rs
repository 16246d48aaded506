//! `getprop`: lines of `[name]: [value]`.

use std::collections::BTreeMap;

/// System properties by name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Properties(BTreeMap<String, String>);

impl Properties {
    /// A property's value; `None` when it is missing or empty.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// The locale in force as a BCP 47 tag: `persist.sys.locale` (empty on a fresh emulator), else
    /// `ro.product.locale`, else its older two-part form; `und` when the device does not say.
    pub fn locale(&self) -> String {
        if let Some(tag) = self.get("persist.sys.locale").or_else(|| self.get("ro.product.locale")) {
            return tag.to_owned();
        }
        let language = self.get("persist.sys.language").or_else(|| self.get("ro.product.locale.language"));
        let region = self.get("persist.sys.country").or_else(|| self.get("ro.product.locale.region"));
        match (language, region) {
            (Some(language), Some(region)) => format!("{language}-{region}"),
            (Some(language), None) => language.to_owned(),
            (None, _) => "und".to_owned(),
        }
    }
}

/// Reads the output of `getprop`; other lines are left out, and a value may span lines.
pub fn parse_properties(text: &str) -> Properties {
    let mut found = BTreeMap::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some((name, value)) = line.strip_prefix('[').and_then(|rest| rest.split_once("]: [")) else { continue };
        let mut value = value.to_owned();
        while !value.ends_with(']') {
            let Some(more) = lines.clone().next() else { break };
            // An unclosed value must not swallow the next property.
            if more.starts_with('[') && more.contains("]: [") {
                break;
            }
            lines.next();
            value.push('\n');
            value.push_str(more);
        }
        found.insert(name.to_owned(), value.strip_suffix(']').unwrap_or(&value).to_owned());
    }
    Properties(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_whatever_they_hold() {
        let properties = parse_properties(
            "[ro.build.version.sdk]: [34]\r\n[a.multi]: [one\ntwo]\n[odd]: [x]: [y]\n[empty]: []\nPhysical size: \
             1x1\n[ro.product.model]: [sdk_gphone64_x86_64]\n",
        );
        assert_eq!(properties.get("ro.build.version.sdk"), Some("34"));
        assert_eq!(properties.get("a.multi"), Some("one\ntwo"));
        assert_eq!(properties.get("odd"), Some("x]: [y"));
        assert_eq!(properties.get("empty"), None);
        assert_eq!(properties.get("ro.product.model"), Some("sdk_gphone64_x86_64"));
    }

    #[test]
    fn an_unclosed_value_does_not_swallow_the_next_property() {
        let properties = parse_properties("[a]: [cut\n[b]: [2]\n");
        assert_eq!((properties.get("a"), properties.get("b")), (Some("cut"), Some("2")));
    }

    #[test]
    fn the_locale_set_by_the_user_wins() {
        let tag = |text| parse_properties(text).locale();
        assert_eq!(tag("[persist.sys.locale]: [fr-FR]\n[ro.product.locale]: [en-US]\n"), "fr-FR");
        assert_eq!(tag("[persist.sys.locale]: []\n[ro.product.locale]: [en-US]\n"), "en-US");
        assert_eq!(tag("[ro.product.locale.language]: [de]\n[ro.product.locale.region]: [AT]\n"), "de-AT");
        assert_eq!(tag(""), "und");
    }
}

//! Languages as Android names them, and which of an app's the system falls back to.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A language with, where said, its script and region: `zh-Hant-TW`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct Locale {
    language: String,
    script: String,
    region: String,
}

/// Countries whose Spanish is that of `es-419`, by Unicode's parent locales.
const LATIN_AMERICA: &str = "AR BO BR BZ CL CO CR CU DO EC GT HN MX NI PA PE PR PY SV US UY VE";

impl Locale {
    /// Reads `pt-BR`, `pt_BR`, `zh-Hant-TW`, `b+zh+Hant+TW` and `pt-rBR`; what is none of these gives the nameless
    /// locale, an app's own.
    pub fn parse(tag: &str) -> Self {
        let mut locale = Self::default();
        let tag = tag.split(['.', '@']).next().unwrap_or_default();
        for (at, part) in tag.trim_start_matches("b+").split(['-', '_', '+']).enumerate() {
            let letters = part.chars().all(|c| c.is_ascii_alphabetic());
            match (at, part.len()) {
                (0, 2..=3) if letters => current(&part.to_ascii_lowercase()).clone_into(&mut locale.language),
                (0, _) => return Self::default(),
                (_, 4) if letters => locale.script = capitalised(part),
                (_, 2) if letters => locale.region = part.to_ascii_uppercase(),
                (_, 3) if part.starts_with('r') && letters => locale.region = part[1..].to_ascii_uppercase(),
                (_, 3) if part.chars().all(|c| c.is_ascii_digit()) => part.clone_into(&mut locale.region),
                _ => {}
            }
        }
        locale
    }

    /// The app's own language, whatever it is.
    pub fn is_unnamed(&self) -> bool {
        self.language.is_empty()
    }

    /// `fr` of `fr-CA`.
    pub fn language(&self) -> &str {
        &self.language
    }

    /// Written out or, where two scripts are usual, what the region writes.
    fn script(&self) -> &str {
        match (self.script.as_str(), self.language.as_str(), self.region.as_str()) {
            ("", "zh", "TW" | "HK" | "MO") => "Hant",
            ("", "zh", _) => "Hans",
            ("", "sr", "ME") => "Latn",
            ("", "sr", _) => "Cyrl",
            (script, _, _) => script,
        }
    }

    /// How well texts in `self` serve a device set to `device`: smaller is better, `None` not at all.
    pub fn distance(&self, device: &Self) -> Option<u8> {
        if self.language != device.language || self.is_unnamed() {
            return None;
        }
        // The other script comes last, yet comes: a declarative app shows it, and a real one never does.
        let script = if self.script() == device.script() { 0 } else { 8 };
        let region = match (self.region.as_str(), device.region.as_str()) {
            (own, wanted) if own == wanted => 0,
            ("419", wanted) if LATIN_AMERICA.contains(wanted) && !wanted.is_empty() => 1,
            ("001", _) => 2,
            ("", _) => 3,
            // Portuguese outside Brazil follows Portugal's.
            ("PT", wanted) if !wanted.is_empty() && wanted != "BR" => 2,
            _ => 4,
        };
        Some(script + region)
    }
}

/// Android writes three languages by the codes they once had.
fn current(language: &str) -> &str {
    match language {
        "iw" => "he",
        "in" => "id",
        "ji" => "yi",
        "tl" => "fil",
        other => other,
    }
}

fn capitalised(script: &str) -> String {
    let (first, rest) = script.split_at(1);
    format!("{}{}", first.to_ascii_uppercase(), rest.to_ascii_lowercase())
}

impl From<String> for Locale {
    fn from(tag: String) -> Self {
        Self::parse(&tag)
    }
}

impl From<Locale> for String {
    fn from(locale: Locale) -> Self {
        locale.to_string()
    }
}

impl fmt::Display for Locale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_unnamed() {
            return f.write_str("default");
        }
        f.write_str(&self.language)?;
        for part in [&self.script, &self.region].into_iter().filter(|part| !part.is_empty()) {
            write!(f, "-{part}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_of_writing_a_locale_is_read() {
        for (tag, read) in [
            ("pt-BR", "pt-BR"),
            ("pt_BR", "pt-BR"),
            ("pt-rBR", "pt-BR"),
            ("zh-Hant-TW", "zh-Hant-TW"),
            ("b+zh+HANT+tw", "zh-Hant-TW"),
            ("b+es+419", "es-419"),
            ("iw-IL", "he-IL"),
            ("en_US.UTF-8", "en-US"),
            ("fil", "fil"),
            ("", "default"),
            ("1", "default"),
            ("é", "default"),
            ("en-ÄÖ", "en"),
        ] {
            assert_eq!(Locale::parse(tag).to_string(), read, "{tag}");
        }
    }

    fn nearest(device: &str, known: &[&str]) -> Option<String> {
        let device = Locale::parse(device);
        let near = known.iter().map(|tag| Locale::parse(tag)).filter_map(|own| Some((own.distance(&device)?, own)));
        near.min().map(|(_, own)| own.to_string())
    }

    #[test]
    fn a_device_falls_back_as_android_does() {
        assert_eq!(nearest("es-MX", &["es", "es-419", "es-ES"]).as_deref(), Some("es-419"));
        assert_eq!(nearest("es-ES", &["es", "es-419"]).as_deref(), Some("es"));
        assert_eq!(nearest("es-MX", &["en", "es"]).as_deref(), Some("es"));
        assert_eq!(nearest("fr-CH", &["fr-FR", "de"]).as_deref(), Some("fr-FR"));
        assert_eq!(nearest("zh-TW", &["zh", "zh-CN", "zh-Hant"]).as_deref(), Some("zh-Hant"));
        assert_eq!(nearest("zh-Hant-TW", &["zh-CN", "zh-TW"]).as_deref(), Some("zh-TW"));
        assert_eq!(nearest("zh-CN", &["zh-TW", "zh"]).as_deref(), Some("zh"));
        assert_eq!(nearest("pt-AO", &["pt", "pt-PT", "pt-BR"]).as_deref(), Some("pt-PT"));
        assert_eq!(nearest("ja-JP", &["", "en", "fr"]), None);
    }
}

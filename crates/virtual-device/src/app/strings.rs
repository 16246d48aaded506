//! The texts of a declarative app as a string table.

use super::AppFile;
use crate::strings::{Locale, StringTable};

impl AppFile {
    /// Its texts in all languages and in the wordings of all its versions.
    pub fn string_table(&self) -> StringTable {
        let document = self.document();
        let locales = &document.strings;
        let own = if locales.contains_key("en") { Some("en") } else { locales.keys().next().map(String::as_str) };
        let mut table = StringTable::new(own.map(Locale::parse).unwrap_or_default());
        for (tag, texts) in locales {
            let locale = Locale::parse(tag);
            for (name, text) in texts {
                table.add(name, &locale, text);
                // A version rewords a resource by its name in all languages, or one text.
                let reworded = document.versions.values().filter_map(|version| version.texts.get(text));
                reworded.for_each(|text| table.add(name, &locale, text));
            }
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(strings: &str) -> StringTable {
        let file = format!(
            "package: com.example.t\nlabel: T\n{strings}\nscreens:\n  - id: home\n    title: Home\n    body:\n      - \
             text: {{text: hello}}\n"
        );
        AppFile::load("t.app.yaml", &file).unwrap().string_table()
    }

    #[test]
    fn every_language_and_wording_is_in_the_table() {
        let table = table(
            "strings: {en: {pay: Pay}, fr: {pay: Payer}}\nversions: {\"2.0\": {texts: {Pay: Pay now, Payer: Payer ici}}}",
        );
        let rows: Vec<String> = table.rows().map(|(name, _, locale, text)| format!("{name} {locale} {text}")).collect();
        assert_eq!(rows, ["pay en Pay", "pay en Pay now", "pay fr Payer", "pay fr Payer ici"]);
        assert_eq!(table.own().to_string(), "en");
    }

    #[test]
    fn an_app_without_english_falls_back_to_what_it_has() {
        assert_eq!(table("strings: {zh-CN: {pay: 支付}, fr: {pay: Payer}}").own().to_string(), "fr");
        assert!(table("").is_empty());
    }
}

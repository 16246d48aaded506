//! Any bytes are an app's resources: reading them never fails badly, and whatever table comes of it can be a bridge.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tapwright::strings::{Bridge, Locale, Shown, read_apk, read_resources};

fuzz_target!(|bytes: &[u8]| {
    let _ = read_apk(bytes);
    let Ok(table) = read_resources(bytes) else { return };
    let texts: Vec<&str> = table.rows().map(|(_, _, _, text)| text).take(60).collect();
    for locale in table.locales().into_iter().take(4) {
        if let Some(bridge) = Bridge::new(&table, locale) {
            let shown: Vec<Shown<'_>> = texts.iter().map(|text| Shown { text, id: "" }).collect();
            assert_eq!(bridge.read(&shown).len(), texts.len());
        }
    }
});

//! `ADBKeyBoard` (senzhk/ADBKeyBoard), the keyboard that types what broadcasts tell it: installed from its real APK, which
//! a virtual device recognises and replaces by an app of its own. What the broadcasts do is the shell's.

use std::io::{Cursor, Read};

const PACKAGE: &str = "com.android.adbkeyboard";
/// Largest manifest that is looked at, in bytes.
const MANIFEST: u64 = 1 << 20;

/// The app that stands in for the APK.
pub(super) const APP: &str = "package: com.android.adbkeyboard
label: ADB Keyboard
version: '2.4'
screens:
  - id: main
    title: ADB Keyboard
    padding: 16
    gap: 12
    body:
      - text: {text: Enable this keyboard under Languages and input or with ime enable}
      - text: {text: 'Then type with am broadcast -a ADB_INPUT_TEXT --es msg TEXT'}
";

/// True for the keyboard's real APK: a zip whose binary manifest names its package.
pub(super) fn is_apk(bytes: &[u8]) -> bool {
    let Ok(mut archive) = zip::ZipArchive::new(Cursor::new(bytes)) else { return false };
    let Ok(file) = archive.by_name("AndroidManifest.xml") else { return false };
    let mut manifest = Vec::new();
    if file.take(MANIFEST).read_to_end(&mut manifest).is_err() {
        return false;
    }
    // The string pool is UTF-16 in most APKs, UTF-8 in some.
    let wide: Vec<u8> = PACKAGE.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let holds = |text: &[u8]| manifest.windows(text.len()).any(|part| part == text);
    holds(&wide) || holds(PACKAGE.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn the_keyboards_apk_is_known_by_its_manifest() {
        let apk = |package: &str| {
            let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
            zip.start_file("AndroidManifest.xml", zip::write::SimpleFileOptions::default()).unwrap();
            let wide: Vec<u8> = package.encode_utf16().flat_map(u16::to_le_bytes).collect();
            zip.write_all(&[b"\x03\0\x08\0".as_slice(), &wide].concat()).unwrap();
            zip.finish().unwrap().into_inner()
        };
        assert!(is_apk(&apk(PACKAGE)));
        assert!(!is_apk(&apk("com.example.other")));
        assert!(!is_apk(b"PK\x03\x04broken") && !is_apk(b""));
        let app = super::super::app::AppFile::load("ADBKeyBoard.apk", APP).unwrap();
        assert_eq!(app.package(), PACKAGE);
    }
}

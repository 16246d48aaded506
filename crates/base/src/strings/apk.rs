//! An app's file: the archive around its resources.

use super::{StringTable, StringsError, read_resources};
use std::borrow::Cow;
use std::ffi::OsStr;
use std::io::{Cursor, Read};
use std::path::Path;

/// Largest resource table that is read, in MiB: the largest apps' have some 30.
const MOST_MIB: u64 = 128;
const NAME: &str = "resources.arsc";
/// Most files within a bundle that are looked at.
const MOST_SPLITS: usize = 64;

/// True where the bytes are an archive that holds resources, itself or in the apps within it (`.apks`, `.xapk`).
pub fn holds_resources(bytes: &[u8]) -> bool {
    zip::ZipArchive::new(Cursor::new(bytes))
        .is_ok_and(|archive| archive.file_names().flatten().any(|name| name == NAME || is_app(&name)))
}

/// Refuses what by its name is an APK or a bundle of them, and is no zip archive.
pub fn check_archive(file: &Path, bytes: &[u8]) -> Result<(), StringsError> {
    let ends = |end: &OsStr| ["apk", "apks", "xapk"].iter().any(|known| end.eq_ignore_ascii_case(known));
    let called_archive = file.extension().is_some_and(ends);
    if called_archive && !bytes.starts_with(b"PK") { Err(StringsError::NoZip) } else { Ok(()) }
}

fn is_app(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|end| end.eq_ignore_ascii_case("apk"))
}

/// The texts of an APK, or of a bundle of APKs. A part without resources has no texts.
pub fn read_apk(bytes: &[u8]) -> Result<StringTable, StringsError> {
    read(bytes, true)
}

fn read(bytes: &[u8], with_splits: bool) -> Result<StringTable, StringsError> {
    let mut archive =
        zip::ZipArchive::new(Cursor::new(bytes)).map_err(|error| StringsError::NoArchive(error.to_string()))?;
    let mut table = match unpacked(&mut archive, NAME)? {
        Some(resources) => read_resources(&resources)?,
        None => StringTable::default(),
    };
    if with_splits {
        let splits: Vec<String> =
            archive.file_names().flatten().filter(|name| is_app(name)).map(Cow::into_owned).collect();
        if splits.len() > MOST_SPLITS {
            table.cut();
        }
        for split in splits.iter().take(MOST_SPLITS) {
            if let Some(inner) = unpacked(&mut archive, split)? {
                table.merge(&read(&inner, false)?);
            }
        }
    }
    Ok(table)
}

/// A file of the archive; its header may lie about its size, so that what comes out is counted.
fn unpacked(archive: &mut zip::ZipArchive<Cursor<&[u8]>>, name: &str) -> Result<Option<Vec<u8>>, StringsError> {
    let file = match archive.by_name(name) {
        Ok(file) => file,
        Err(zip::result::ZipError::FileNotFound) => return Ok(None),
        Err(error) => return Err(StringsError::NoArchive(error.to_string())),
    };
    let most = MOST_MIB << 20;
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes).map_err(|error| StringsError::NoArchive(error.to_string()))?;
    if bytes.len() as u64 > most {
        return Err(StringsError::TooLarge { most: MOST_MIB });
    }
    Ok(Some(bytes))
}

#[cfg(test)]
mod tests {
    use super::super::arsc_sample::sample;
    use super::*;
    use std::io::Write;

    fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        let options = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
        for (name, bytes) in files {
            writer.start_file(*name, options).unwrap();
            writer.write_all(bytes).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    #[test]
    fn base_and_splits_are_one_table() {
        let base = archive(&[(NAME, &sample(&[("skip", "", "Skip")])), ("classes.dex", b"dex")]);
        let french = archive(&[(NAME, &sample(&[("skip", "fr", "Ignorer")]))]);
        let bundle = archive(&[("base.apk", &base), ("split_config.fr.apk", &french), ("readme.txt", b"x")]);
        let table = read_apk(&bundle).unwrap();
        let rows: Vec<String> = table.rows().map(|(name, _, locale, text)| format!("{name} {locale} {text}")).collect();
        assert_eq!(rows, ["skip default Skip", "skip fr Ignorer"]);
        assert!(holds_resources(&bundle) && holds_resources(&base));
        assert!(!holds_resources(&archive(&[("main.app.yaml", b"x")])) && !holds_resources(b"label: x"));
    }

    #[test]
    fn what_is_no_app_is_said() {
        assert!(matches!(read_apk(b"no zip"), Err(StringsError::NoArchive(_))));
        assert!(read_apk(&archive(&[("x", b"y")])).unwrap().is_empty());
        assert!(matches!(read_apk(&archive(&[(NAME, b"junk")])), Err(StringsError::Damaged(_))));
        let bytes = archive(&[(NAME, &sample(&[("skip", "", "Skip")]))]);
        assert!(matches!(read_apk(&bytes[..bytes.len() / 2]), Err(StringsError::NoArchive(_))));
    }

    #[test]
    fn what_is_called_an_app_and_is_no_zip_is_refused_by_name() {
        for name in ["page.html.apk", "a/b.APKS", "c.xapk"] {
            let refused = check_archive(Path::new(name), b"<html>404</html>").unwrap_err();
            assert!(refused.to_string().contains("zip archive"), "{refused}");
            assert!(check_archive(Path::new(name), b"PK\x03\x04").is_ok());
        }
        assert!(check_archive(Path::new("pay.app.yaml"), b"label: x").is_ok());
    }

    #[test]
    fn more_splits_than_are_read_are_noted() {
        let split = archive(&[(NAME, &sample(&[("skip", "", "Skip")]))]);
        let bundle = |count: usize| {
            let names: Vec<String> = (0..count).map(|at| format!("split_{at}.apk")).collect();
            archive(&names.iter().map(|name| (name.as_str(), split.as_slice())).collect::<Vec<_>>())
        };
        assert!(!read_apk(&bundle(MOST_SPLITS)).unwrap().is_cut());
        assert!(read_apk(&bundle(MOST_SPLITS + 1)).unwrap().is_cut());
    }

    #[test]
    fn an_archive_that_unpacks_without_end_is_refused() {
        let bomb = archive(&[(NAME, &vec![0; (MOST_MIB as usize) << 20 | 1])]);
        assert!(bomb.len() < 1 << 20);
        assert_eq!(read_apk(&bomb).unwrap_err(), StringsError::TooLarge { most: MOST_MIB });
    }
}

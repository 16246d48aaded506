//! Bundles of APKs: one app in several files, packed into an archive (bundletool's `.apks`, `.xapk`, `.apkm`).
//!
//! Which of the files are one app is told by their names, as bundletool and the stores write them; what a device then
//! takes of them (languages, densities, processors) is its package manager's business.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Most that a bundle may unpack to, in bytes: the largest apps have some 4 GiB.
const MOST_BYTES: u64 = 8 << 30;
/// What makes an archive an app of its own.
const MANIFEST: &str = "AndroidManifest.xml";
/// Folders of bundletool's `.apks`: the parts of one app, and apps for single kinds of devices.
const PARTS: &str = "splits/";
const ASSETS: &str = "asset-slices/";
/// What `bundletool build-apks --mode=universal` makes: one app for every device.
const UNIVERSAL: &str = "universal.apk";

/// The files of one app, unpacked into a folder that goes with this value.
#[derive(Debug)]
pub(super) struct Bundle {
    /// In the order in which they are handed over: the app's own first.
    pub(super) files: Vec<PathBuf>,
    _folder: TempDir,
}

impl Bundle {
    /// Unpacks the app in `file`; `None` where the file is no bundle: an APK, or no archive at all. The reason is for
    /// whoever wrote the case.
    pub(super) fn open(file: &Path) -> Result<Option<Self>, String> {
        let said = |error: io::Error| error.to_string();
        let Ok(mut archive) = zip::ZipArchive::new(File::open(file).map_err(said)?) else { return Ok(None) };
        let names: Vec<String> = archive.file_names().flatten().map(Cow::into_owned).collect();
        let Some(chosen) = parts_of(&names)? else { return Ok(None) };
        let folder = tempfile::tempdir().map_err(said)?;
        let (mut files, mut left) = (Vec::new(), MOST_BYTES);
        for (at, name) in chosen.iter().enumerate() {
            let part = archive.by_name(name).map_err(|error| format!("{name}: {error}"))?;
            let path = folder.path().join(format!("{at}_{}", base_name(name)));
            let mut out = File::create(&path).map_err(said)?;
            let written = io::copy(&mut part.take(left + 1), &mut out).map_err(|error| format!("{name}: {error}"))?;
            left = left.checked_sub(written).ok_or(format!("it unpacks to more than {} GiB", MOST_BYTES >> 30))?;
            files.push(path);
        }
        Ok(Some(Self { files, _folder: folder }))
    }
}

/// The files of an archive that are one app, its own first; `None` where the archive is no bundle. An error where only the
/// device can tell which one is meant.
fn parts_of(names: &[String]) -> Result<Option<Vec<String>>, String> {
    if names.iter().any(|name| name == MANIFEST) {
        return Ok(None);
    }
    if names.iter().any(|name| name == UNIVERSAL) {
        return Ok(Some(vec![UNIVERSAL.to_owned()]));
    }
    let apks = || names.iter().filter(|name| is_apk(name));
    let mut parts: Vec<String> = match apks().any(|name| name.starts_with(PARTS)) {
        true => apks().filter(|name| name.starts_with(PARTS) || name.starts_with(ASSETS)).cloned().collect(),
        false => apks().filter(|name| !name.contains('/')).cloned().collect(),
    };
    if parts.is_empty() {
        return match apks().next() {
            None => Ok(None),
            Some(one) => Err(format!(
                "it holds apps for single kinds of devices only ({one}, …); make one with `bundletool build-apks \
                 --mode=universal`"
            )),
        };
    }
    // `base-master_2.apk` is `base-master.apk` for newer systems, which run the older one, too.
    let all = parts.clone();
    parts.retain(|name| plain_variant(name).is_none_or(|plain| !all.contains(&plain)));
    parts.sort_by_key(|name| (rank(base_name(name)), name.clone()));
    Ok(Some(parts))
}

/// The name without the number of its variant.
fn plain_variant(name: &str) -> Option<String> {
    let (stem, number) = name.strip_suffix(".apk")?.rsplit_once('_')?;
    let numbered = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    numbered.then(|| format!("{stem}.apk"))
}

/// An app's own file comes before what only adds to it.
fn rank(name: &str) -> u8 {
    let adds = name.starts_with("config.") || name.starts_with("split_");
    match name {
        "base.apk" | "base-master.apk" => 0,
        _ if adds => 2,
        _ => 1,
    }
}

fn base_name(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

fn is_apk(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|end| end.eq_ignore_ascii_case("apk"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn archive(folder: &TempDir, files: &[(&str, &[u8])]) -> PathBuf {
        let path = folder.path().join("app.apks");
        let mut writer = zip::ZipWriter::new(File::create(&path).unwrap());
        for (name, bytes) in files {
            // Not packed, so that a test can reach into it.
            let stored = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
            writer.start_file(*name, stored).unwrap();
            writer.write_all(bytes).unwrap();
        }
        writer.finish().unwrap();
        path
    }

    #[test]
    fn the_names_tell_what_is_one_app() {
        let check = |names: &[&str], expected: Result<Option<&[&str]>, &str>| {
            let owned: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            match (parts_of(&owned), expected) {
                (Ok(Some(found)), Ok(Some(wanted))) => assert_eq!(found, wanted, "{names:?}"),
                (Ok(None), Ok(None)) => {}
                (Err(reason), Err(part)) => assert!(reason.contains(part), "{names:?}: {reason}"),
                (found, _) => panic!("{names:?}: {found:?}"),
            }
        };
        check(&[MANIFEST, "classes.dex", "assets/plugin.apk"], Ok(None));
        check(&["app.json", "states/1.xml"], Ok(None));
        check(&["toc.pb", UNIVERSAL], Ok(Some(&[UNIVERSAL])));
        check(
            &[
                "toc.pb",
                "splits/base-fr.apk",
                "splits/base-master_2.apk",
                "splits/base-master.apk",
                "standalones/a.apk",
            ],
            Ok(Some(&["splits/base-master.apk", "splits/base-fr.apk"])),
        );
        check(
            &["splits/base-master.apk", "asset-slices/maps-master.apk", "instant/instant-base-master.apk"],
            Ok(Some(&["splits/base-master.apk", "asset-slices/maps-master.apk"])),
        );
        check(
            &["manifest.json", "icon.png", "config.fr.apk", "com.example.pay.apk", "config.arm64_v8a.apk"],
            Ok(Some(&["com.example.pay.apk", "config.arm64_v8a.apk", "config.fr.apk"])),
        );
        check(&["toc.pb", "standalones/standalone-hdpi.apk"], Err("--mode=universal"));
    }

    #[test]
    fn the_files_are_unpacked_in_their_order_and_go_with_the_bundle() {
        let folder = tempfile::tempdir().unwrap();
        let file = archive(&folder, &[("split_config.fr.apk", b"fr"), ("base.apk", b"base"), ("info.json", b"{}")]);
        let bundle = Bundle::open(&file).unwrap().unwrap();
        let read: Vec<Vec<u8>> = bundle.files.iter().map(|path| std::fs::read(path).unwrap()).collect();
        assert_eq!(read, [b"base".to_vec(), b"fr".to_vec()]);
        let names: Vec<_> = bundle.files.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
        assert_eq!(names, ["0_base.apk", "1_split_config.fr.apk"]);
        let unpacked = bundle.files[0].clone();
        drop(bundle);
        assert!(!unpacked.exists());
    }

    #[test]
    fn what_is_no_archive_or_lies_about_itself_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let plain = folder.path().join("pay.app.yaml");
        std::fs::write(&plain, "label: Pay").unwrap();
        assert!(Bundle::open(&plain).unwrap().is_none());
        let file = archive(&folder, &[("base.apk", &[7; 4000])]);
        let mut bytes = std::fs::read(&file).unwrap();
        let inner = bytes.iter().position(|byte| *byte == 7).unwrap();
        bytes[inner + 5] = 8;
        std::fs::write(&file, bytes).unwrap();
        let reason = Bundle::open(&file).unwrap_err();
        assert!(reason.starts_with("base.apk: "), "{reason}");
        assert!(Bundle::open(&folder.path().join("none")).is_err());
    }
}

//! Windows in which the file system of database and recordings is full.

use super::Outcome;
use super::fleet::Fleet;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// A larger file system is nobody's test: filling it would take the whole machine's room.
const LARGEST: u64 = 4_000_000_000;

/// The file that fills the file system; with it the room is free again.
pub(super) struct Filler {
    file: PathBuf,
}

/// Refuses to work on a file system that others need.
pub(super) fn check(folder: &Path) -> Outcome<()> {
    let told = rustix::fs::statvfs(folder)?;
    let size = told.f_blocks.saturating_mul(told.f_frsize);
    if size <= LARGEST {
        return Ok(());
    }
    let remedy = "mount one of some hundred megabytes (`mount -t tmpfs -o size=600m tmpfs DIR`) and name it in TMPDIR";
    Err(format!("--full fills the file system of {}, which has {} MB: {remedy}", folder.display(), size / 1_000_000)
        .into())
}

impl Filler {
    /// Writes until nothing more can be written.
    pub(super) fn fill(fleet: &Fleet) -> Outcome<Self> {
        let filler = Self { file: fleet.folder().join("filler") };
        let mut file = File::create(&filler.file)?;
        for size in [1 << 20, 1 << 12, 1] {
            let block = vec![0; size];
            while file.write_all(&block).is_ok() {}
        }
        Ok(filler)
    }
}

impl Drop for Filler {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_file(&self.file) {
            eprintln!("{}: {error}", self.file.display());
        }
    }
}

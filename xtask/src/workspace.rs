//! Where the repository is, and how cargo is called in it.

use crate::failure::Failure;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Beginnings of the variables by which `cargo run` describes a package to its program.
const DESCRIPTIONS: [&str; 4] = ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_NAME", "CARGO_CRATE_NAME"];

/// The repository this command was built from.
pub(crate) struct Workspace {
    root: PathBuf,
    cargo: OsString,
}

impl Workspace {
    /// Finds the repository: cargo names this package's folder when it runs it; started by hand, the folder it was
    /// compiled in stands in for that.
    pub(crate) fn locate() -> Result<Self, Failure> {
        let package = std::env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = package.parent().filter(|root| root.join("Cargo.toml").is_file()).ok_or_else(|| {
            Failure::Missing(format!("no workspace around {}: run `cargo xtask` in the repository", package.display()))
        })?;
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        Ok(Self { root: root.to_owned(), cargo })
    }

    /// A path inside the repository.
    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// The repository's root.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Where build products go: `CARGO_TARGET_DIR`, else `target/`.
    pub(crate) fn target(&self) -> PathBuf {
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| self.path("target"), |folder| self.root.join(folder))
    }

    /// A cargo command in the root, with the words given.
    pub(crate) fn cargo<I: IntoIterator<Item: AsRef<std::ffi::OsStr>>>(&self, words: I) -> Command {
        let mut command = Command::new(&self.cargo);
        command.args(words).current_dir(&self.root);
        // `cargo run` describes *this* package to us. Inherited, build scripts that watch these variables (ring's does)
        // would run again, and what a plain `cargo build` has built would be built anew, back and forth.
        for (name, _) in std::env::vars_os() {
            if DESCRIPTIONS.iter().any(|prefix| name.to_string_lossy().starts_with(prefix)) {
                command.env_remove(name);
            }
        }
        command
    }
}

//! Which system packages are needed, and the command that brings the missing ones. Pure: what is there and who we are
//! comes in from [`crate::host`].

/// A program the build or the tests need, from a system package.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Need {
    /// What it is for, in words.
    pub(crate) purpose: &'static str,
    /// The call that proves it works; it must exit with 0.
    pub(crate) probe: &'static [&'static str],
    /// Debian and Ubuntu packages that bring it.
    pub(crate) packages: &'static [&'static str],
}

/// A C compiler with the C library's headers: SQLite is compiled from source.
pub(crate) const COMPILER: Need =
    Need { purpose: "C compiler", probe: &["cc", "--version"], packages: &["gcc", "libc6-dev"] };
/// Make: the allocator jemalloc is compiled from source.
pub(crate) const MAKE: Need = Need { purpose: "make", probe: &["make", "--version"], packages: &["make"] };
/// The Android debug bridge.
pub(crate) const ADB: Need = Need { purpose: "Android debug bridge", probe: &["adb", "version"], packages: &["adb"] };
/// Python; only `full-size-model` and a client that some tests use need it.
pub(crate) const PYTHON: Need = Need { purpose: "Python", probe: &["python3", "--version"], packages: &["python3"] };
/// Python's package installer.
pub(crate) const PIP: Need =
    Need { purpose: "Python's pip", probe: &["python3", "-m", "pip", "--version"], packages: &["python3-pip"] };
/// Virtual environments; only `full-size-model` needs them.
pub(crate) const VENV: Need =
    Need { purpose: "Python's venv", probe: &["python3", "-c", "import ensurepip"], packages: &["python3-venv"] };

/// PostgreSQL, which Debian keeps off the path; only tests need it.
pub(crate) const POSTGRESQL: Need = Need {
    purpose: "PostgreSQL",
    probe: &["sh", "-c", "\"$(ls /usr/lib/postgresql/*/bin/postgres | tail -n 1)\" --version"],
    packages: &["postgresql"],
};
/// A browser without a window; only tests need it.
pub(crate) const CHROMIUM: Need =
    Need { purpose: "Chromium", probe: &["chromium", "--version"], packages: &["chromium"] };

/// What `test` checks beyond that.
pub(crate) const TESTS: [&Need; 2] = [&POSTGRESQL, &CHROMIUM];

/// What `setup` checks, in the order it prints.
pub(crate) const SETUP: [&Need; 3] = [&COMPILER, &MAKE, &ADB];

/// How packages can be installed here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Privilege {
    /// We are root.
    Root,
    /// `sudo` asks for no password.
    Sudo,
    /// A person has to type the command.
    None,
}

/// The packages of the missing needs, each once, in order.
pub(crate) fn choose(missing: &[&Need]) -> Vec<&'static str> {
    let mut chosen = Vec::new();
    for package in missing.iter().flat_map(|need| need.packages) {
        if !chosen.contains(package) {
            chosen.push(*package);
        }
    }
    chosen
}

/// The apt-get calls that install `packages`. A fresh container has no package lists, so they are fetched first.
pub(crate) fn install_commands(privilege: Privilege, packages: &[&str]) -> [Vec<String>; 2] {
    let sudo: &[&str] = match privilege {
        Privilege::Root => &[],
        Privilege::Sudo => &["sudo", "-n"],
        Privilege::None => &["sudo"],
    };
    let line = |words: &[&str]| sudo.iter().chain(words).map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let install: Vec<&str> =
        ["apt-get", "install", "-y", "--no-install-recommends"].into_iter().chain(packages.iter().copied()).collect();
    [line(&["apt-get", "update"]), line(&install)]
}

/// The same as one line to paste.
pub(crate) fn install_line(packages: &[&str]) -> String {
    install_commands(Privilege::None, packages).map(|words| words.join(" ")).join(" && ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_missing_needs_no_package() {
        assert!(choose(&[]).is_empty());
    }

    #[test]
    fn only_the_missing_packages_are_chosen_each_once() {
        assert_eq!(choose(&[&COMPILER, &PIP, &PIP]), ["gcc", "libc6-dev", "python3-pip"]);
    }

    #[test]
    fn root_installs_directly_and_sudo_never_asks() {
        let [update, install] = install_commands(Privilege::Root, &["adb"]);
        assert_eq!(update.join(" "), "apt-get update");
        assert_eq!(install.join(" "), "apt-get install -y --no-install-recommends adb");
        let [_, install] = install_commands(Privilege::Sudo, &["adb"]);
        assert_eq!(install.join(" "), "sudo -n apt-get install -y --no-install-recommends adb");
    }

    #[test]
    fn the_line_to_paste_is_complete() {
        assert_eq!(
            install_line(&["adb", "python3-pip"]),
            "sudo apt-get update && sudo apt-get install -y --no-install-recommends adb python3-pip"
        );
    }
}

//! `cat`.

use super::options::Options;
use super::{Exit, Invocation};

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    let rest = invocation.rest();
    let options = match Options::of(invocation, &rest, "u") {
        Ok(options) => options,
        Err(exit) => return exit,
    };
    let mut exit = Exit::SUCCESS;
    for file in options.files() {
        match read_file_or_stdin(invocation, file) {
            Ok(bytes) => invocation.out(bytes),
            Err(reason) => {
                invocation.err(format!("cat: {file}: {reason}\n"));
                exit = Exit::FAILURE;
            }
        }
    }
    exit
}

/// The content of a file, `-` being stdin; the error is `strerror`'s text.
pub(super) fn read_file_or_stdin(invocation: &Invocation<'_>, file: &str) -> Result<Vec<u8>, String> {
    match file {
        "-" => invocation.stdin.all().map_err(|error| error.to_string()),
        _ => {
            let path = invocation.path(file);
            invocation.system.lock().files.read(&path).map(<[u8]>::to_vec).map_err(|error| error.to_string())
        }
    }
}

/// Reads every file and hands its bytes on; complains about those that cannot be read.
pub(super) fn read_each(invocation: &Invocation<'_>, files: &[&str], mut each: impl FnMut(&[u8])) -> Exit {
    let mut exit = Exit::SUCCESS;
    for file in files {
        match read_file_or_stdin(invocation, file) {
            Ok(bytes) => each(&bytes),
            Err(reason) => {
                invocation.err(format!("{}: {file}: {reason}\n", invocation.args[0]));
                exit = Exit::FAILURE;
            }
        }
    }
    exit
}

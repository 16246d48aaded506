//! `pm install` and `cmd package install -S N`: reads exactly N bytes, then answers with one status line.

use super::{Exit, Invocation, argument_expected, exception, package_manager};
use crate::faults::Fault;
use crate::system::{Downgrade, FileSystem};

pub(super) fn run(invocation: &Invocation<'_>, rest: &[&str]) -> Exit {
    let mut size = None;
    let mut file = None;
    let mut downgrade = Downgrade::Refused;
    let mut grant = false;
    let mut words = rest.iter();
    while let Some(&word) = words.next() {
        match word {
            "-S" => match words.next().map(|number| number.parse::<u64>()) {
                Some(Ok(bytes)) => size = Some(bytes),
                Some(Err(_)) => {
                    let thrown = "java.lang.NumberFormatException: For input string";
                    return exception(invocation, "install", thrown, package_manager::FRAME);
                }
                None => return exception(invocation, "install", &argument_expected("-S"), package_manager::FRAME),
            },
            "-g" => grant = true,
            "-d" | "--allow-downgrade" => downgrade = Downgrade::Allowed,
            "-i" | "--user" | "--abi" | "--install-location" | "--originating-uri" | "--referrer" => {
                words.next();
            }
            "-" => file = None,
            _ if word.starts_with('-') => {}
            path => file = Some(path),
        }
    }
    let bytes = match (file, size) {
        (Some(path), _) => {
            let path = invocation.path(path);
            let read = invocation.system.lock().files.read(&path).map(<[u8]>::to_vec);
            match read {
                Ok(bytes) => bytes,
                Err(_) => {
                    invocation.err(format!("Error: Unable to open file: {path}\n"));
                    return Exit::FAILURE;
                }
            }
        }
        (None, Some(size)) if size > FileSystem::CAPACITY => {
            return failure(invocation, "INSTALL_FAILED_INSUFFICIENT_STORAGE");
        }
        (None, Some(size)) => match invocation.stdin.up_to(size) {
            Ok(bytes) if bytes.len() as u64 == size => bytes,
            Ok(bytes) => {
                let reason = format!("INSTALL_FAILED_ABORTED: received {} of {size} bytes", bytes.len());
                return failure(invocation, &reason);
            }
            Err(error) => return failure(invocation, &format!("INSTALL_FAILED_ABORTED: {error}")),
        },
        (None, None) => {
            invocation.err("Error: must either specify a package size or an APK file\n");
            return Exit::FAILURE;
        }
    };
    if let Some(refused) = invocation.system.faults.strike(Fault::InstallFails) {
        return failure(invocation, refused.code());
    }
    let installed = invocation.system.lock().install(&bytes, downgrade);
    match installed {
        Ok(package) => {
            if grant {
                invocation.system.lock().grant_all(&package);
            }
            invocation.out("Success\n");
            Exit::SUCCESS
        }
        Err(error) => failure(invocation, &error.to_string()),
    }
}

fn failure(invocation: &Invocation<'_>, reason: &str) -> Exit {
    // One status line, whatever the parser had to say: adb reads no further.
    invocation.out(format!("Failure [{}]\n", reason.replace('\n', " ")));
    Exit::FAILURE
}

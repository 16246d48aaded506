//! `pm install` and `cmd package install -S N`: reads exactly N bytes, then answers with one status line.

use super::{Exit, Invocation, argument_expected, exception, package_manager};
use crate::faults::Fault;
use crate::system::{Downgrade, FileSystem, InstallError};

/// What was asked for: the options of `install`, `install-create` and `install-write`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Request<'a> {
    pub(super) size: Option<u64>,
    pub(super) downgrade: Downgrade,
    pub(super) grant: bool,
    pub(super) operands: Vec<&'a str>,
}

impl<'a> Request<'a> {
    /// Reads a command line; the error is Java's exception.
    pub(super) fn parse(words: &[&'a str]) -> Result<Self, String> {
        let mut request = Self { size: None, downgrade: Downgrade::Refused, grant: false, operands: Vec::new() };
        let mut words = words.iter().copied();
        while let Some(word) = words.next() {
            match word {
                "-S" => {
                    let number = words.next().ok_or_else(|| argument_expected("-S"))?;
                    let size =
                        number.parse().map_err(|_| "java.lang.NumberFormatException: For input string".to_owned());
                    request.size = Some(size?);
                }
                "-g" => request.grant = true,
                "-d" | "--allow-downgrade" => request.downgrade = Downgrade::Allowed,
                "-i" | "--user" | "--abi" | "--install-location" | "--originating-uri" | "--referrer" => {
                    words.next();
                }
                _ if word.len() > 1 && word.starts_with('-') => {}
                operand => request.operands.push(operand),
            }
        }
        Ok(request)
    }
}

pub(super) fn run(invocation: &Invocation<'_>, rest: &[&str]) -> Exit {
    let request = match Request::parse(rest) {
        Ok(request) => request,
        Err(thrown) => return exception(invocation, "install", &thrown, package_manager::FRAME),
    };
    let bytes = match content(invocation, request.operands.last().copied(), request.size) {
        Ok(bytes) => bytes,
        Err(exit) => return exit,
    };
    if let Some(refused) = invocation.system.faults.strike(Fault::InstallFails) {
        return failure(invocation, refused.code());
    }
    let installed = invocation.system.lock().install(&bytes, request.downgrade);
    conclude(invocation, installed, request.grant)
}

/// A file of the device, or as many bytes of stdin as `-S` says.
pub(super) fn content(invocation: &Invocation<'_>, file: Option<&str>, size: Option<u64>) -> Result<Vec<u8>, Exit> {
    match (file.filter(|file| *file != "-"), size) {
        (Some(path), _) => {
            let path = invocation.path(path);
            let read = invocation.system.lock().files.read(&path).map(<[u8]>::to_vec);
            read.map_err(|_| {
                invocation.err(format!("Error: Unable to open file: {path}\n"));
                Exit::FAILURE
            })
        }
        (None, Some(size)) if size > FileSystem::CAPACITY => {
            Err(failure(invocation, "INSTALL_FAILED_INSUFFICIENT_STORAGE"))
        }
        (None, Some(size)) => match invocation.stdin.up_to(size) {
            Ok(bytes) if bytes.len() as u64 == size => Ok(bytes),
            Ok(bytes) => {
                let reason = format!("INSTALL_FAILED_ABORTED: received {} of {size} bytes", bytes.len());
                Err(failure(invocation, &reason))
            }
            Err(error) => Err(failure(invocation, &format!("INSTALL_FAILED_ABORTED: {error}"))),
        },
        (None, None) => {
            invocation.err("Error: must either specify a package size or an APK file\n");
            Err(Exit::FAILURE)
        }
    }
}

/// Says how an installation ended.
pub(super) fn conclude(invocation: &Invocation<'_>, installed: Result<String, InstallError>, grant: bool) -> Exit {
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

pub(super) fn failure(invocation: &Invocation<'_>, reason: &str) -> Exit {
    // One status line, whatever the parser had to say: adb reads no further.
    invocation.out(format!("Failure [{}]\n", reason.replace('\n', " ")));
    Exit::FAILURE
}

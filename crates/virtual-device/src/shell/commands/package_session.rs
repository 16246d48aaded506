//! `pm install-create|install-write|install-commit|install-abandon` (`PackageManagerShellCommand`): several files as one
//! app, which is what `adb install-multiple` does.

use super::package_install::{self, Request};
use super::package_manager::FRAME;
use super::{Exit, Invocation, exception};
use crate::faults::Fault;

pub(super) fn create(invocation: &Invocation<'_>, rest: &[&str]) -> Exit {
    let request = match Request::parse(rest) {
        Ok(request) => request,
        Err(thrown) => return exception(invocation, "install-create", &thrown, FRAME),
    };
    let id = invocation.system.lock().sessions.create(request.downgrade, request.grant);
    invocation.out(format!("Success: created install session [{id}]\n"));
    Exit::SUCCESS
}

/// `install-write [-S BYTES] SESSION NAME [PATH|-]`.
pub(super) fn write(invocation: &Invocation<'_>, rest: &[&str]) -> Exit {
    let request = match Request::parse(rest) {
        Ok(request) => request,
        Err(thrown) => return exception(invocation, "install-write", &thrown, FRAME),
    };
    let [session, name, path @ ..] = request.operands.as_slice() else {
        return exception(invocation, "install-write", &number_format("null"), FRAME);
    };
    let Ok(id) = session.parse() else {
        return exception(invocation, "install-write", &number_format(session), FRAME);
    };
    let bytes = match package_install::content(invocation, path.first().copied(), request.size) {
        Ok(bytes) => bytes,
        Err(exit) => return exit,
    };
    let count = bytes.len();
    let written = invocation.system.lock().sessions.write(id, name, bytes);
    if !written {
        return exception(invocation, "install-write", &no_access(session), FRAME);
    }
    invocation.out(format!("Success: streamed {count} bytes\n"));
    Exit::SUCCESS
}

pub(super) fn commit(invocation: &Invocation<'_>, rest: &[&str]) -> Exit {
    let operands: Vec<&str> = rest.iter().copied().filter(|word| !word.starts_with('-')).collect();
    let word = operands.first().copied().unwrap_or("null");
    let Ok(id) = word.parse() else { return exception(invocation, "install-commit", &number_format(word), FRAME) };
    let Some(session) = invocation.system.lock().sessions.take(id) else {
        return exception(invocation, "install-commit", &no_access(word), FRAME);
    };
    if let Some(refused) = invocation.system.faults.strike(Fault::InstallFails) {
        return package_install::failure(invocation, refused.code());
    }
    let installed = invocation.system.lock().install_files(&session.files, session.downgrade);
    package_install::conclude(invocation, installed, session.grant)
}

pub(super) fn abandon(invocation: &Invocation<'_>, rest: &[&str]) -> Exit {
    let word = rest.first().copied().unwrap_or("null");
    let Ok(id) = word.parse() else { return exception(invocation, "install-abandon", &number_format(word), FRAME) };
    let abandoned = invocation.system.lock().sessions.take(id).is_some();
    if !abandoned {
        return exception(invocation, "install-abandon", &no_access(word), FRAME);
    }
    invocation.out("Success\n");
    Exit::SUCCESS
}

fn number_format(word: &str) -> String {
    format!("java.lang.NumberFormatException: For input string: \"{word}\"")
}

fn no_access(session: &str) -> String {
    format!("java.lang.SecurityException: Caller has no access to session {session}")
}

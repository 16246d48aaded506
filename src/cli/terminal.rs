//! How wide the user's terminal is.

/// Columns of the terminal that stderr writes to; `None` when it is a file or a pipe.
pub(super) fn columns_of_stderr() -> Option<usize> {
    columns(&std::io::stderr())
}

/// Columns of the terminal that stdout writes to; `None` when it is a file or a pipe.
pub(super) fn columns_of_stdout() -> Option<usize> {
    columns(&std::io::stdout())
}

#[cfg(unix)]
fn columns(stream: &impl std::os::fd::AsFd) -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(stream).ok()?;
    (size.ws_col > 0).then_some(usize::from(size.ws_col))
}

#[cfg(not(unix))]
fn columns<S>(_stream: &S) -> Option<usize> {
    None
}

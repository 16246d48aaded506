//! The daemon that a command talks to.

use crate::app::Workspace;
use crate::cli::Failure;
use crate::daemon::{ClientError, DaemonClient};

/// Knows the daemon at `url`, with the token and the certificates that the environment names.
pub(super) fn client(url: &str, workspace: &Workspace) -> Result<DaemonClient, Failure> {
    let mut client = DaemonClient::new(url).map_err(Failure::usage)?;
    let environment = workspace.environment();
    if let Some(authority) = &environment.authority {
        let pem = std::fs::read(authority).map_err(|error| Failure::unreadable(authority, &error))?;
        client = client.trusting(&pem).map_err(Failure::usage)?;
    }
    Ok(match &environment.token {
        Some(token) => client.with_token(token.clone()),
        None => client,
    })
}

/// How a command ends that a daemon refused or that found none.
pub(super) fn failure(error: ClientError) -> Failure {
    match error {
        error @ (ClientError::Refused { .. } | ClientError::Url { .. }) => Failure::usage(error),
        error => Failure::infrastructure(error),
    }
}

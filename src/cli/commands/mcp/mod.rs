//! `tapwright mcp`: the workspace's tools for agents, over the Model Context Protocol on standard input and output.
//!
//! Typed in and out, and bounded: a screen is a list of at most so many lines, a result its steps and not its events. Nothing
//! listens anywhere; the process that started this one is the only client.

mod forms;
mod look;
mod server;
mod stdio;

use crate::app::Workspace;
use crate::cli::{Exit, Failure};
use rmcp::ServiceExt;
use server::Tools;
use stdio::Pipes;

/// Serves until the client closes its end.
pub(super) async fn mcp(workspace: &Workspace) -> Result<Exit, Failure> {
    let tools = Tools::new(workspace)?;
    let Pipes { input, output, printer } = Pipes::open();
    let service = tools.serve((input, output)).await.map_err(Failure::usage)?;
    service.waiting().await.map_err(Failure::infrastructure)?;
    // What was answered last is printed before the process ends.
    if printer.join().is_err() {
        return Err(Failure::infrastructure("the thread that prints answers ended unexpectedly"));
    }
    Ok(Exit::Passed)
}

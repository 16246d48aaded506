//! `tapwright token create|list|rotate|revoke`. Works on the database itself, whether or not a daemon has it.

use super::database::Database;
use super::print_json;
use crate::app::Workspace;
use crate::cli::{DatabaseArgs, Exit, Failure, TokenCommand, table};
use crate::daemon::MintedToken;
use crate::store::{AuditEntry, Scope, Store, TokenRecord};
use jiff::{SignedDuration, Timestamp, Unit};
use serde_json::json;
use std::sync::Arc;

/// Longest name of a token.
const LONGEST: usize = 80;

/// Carries a `token` command out.
pub(super) async fn token(command: TokenCommand, workspace: &Workspace) -> Result<Exit, Failure> {
    match command {
        TokenCommand::Create { name, scope, days, database } => {
            let store = open(database, workspace).await?;
            let ends = days.map(|days| now() + SignedDuration::from_hours(24 * i64::from(days.get())));
            create(&*store, &name, scope, ends).await
        }
        TokenCommand::List { json, database } => list(&*open(database, workspace).await?, json).await,
        TokenCommand::Rotate { id, grace, database } => {
            let store = open(database, workspace).await?;
            let old = store.token(&id).await.map_err(Failure::infrastructure)?;
            let old = old.filter(|token| token.is_valid(now())).ok_or_else(|| unknown(&id))?;
            create(&*store, &old.name, old.scope, old.expires_at).await?;
            let end = now() + SignedDuration::from_hours(i64::from(grace));
            store.expire_token(&id, end).await.map_err(Failure::infrastructure)?;
            note(&*store, format!("token rotate {id}")).await?;
            anstream::eprintln!("the old token {id} ends at {end}");
            Ok(Exit::Passed)
        }
        TokenCommand::Revoke { id, database } => {
            let store = open(database, workspace).await?;
            if !store.revoke_token(&id, now()).await.map_err(Failure::infrastructure)? {
                return Err(unknown(&id));
            }
            note(&*store, format!("token revoke {id}")).await?;
            anstream::eprintln!("token {id} opens nothing any more");
            Ok(Exit::Passed)
        }
    }
}

async fn open(args: DatabaseArgs, workspace: &Workspace) -> Result<Arc<dyn Store>, Failure> {
    Database::chosen(args.database, workspace)?.attach().await
}

async fn create(store: &dyn Store, name: &str, scope: Scope, ends: Option<Timestamp>) -> Result<Exit, Failure> {
    let good = !name.trim().is_empty() && name.chars().count() <= LONGEST && !name.chars().any(char::is_control);
    if !good {
        return Err(Failure::usage(format!("a token's name has 1 to {LONGEST} visible characters")));
    }
    let minted = MintedToken::new(name, scope, now(), ends).map_err(Failure::infrastructure)?;
    let id = minted.record.id.clone();
    store.add_token(minted.record).await.map_err(Failure::infrastructure)?;
    note(store, format!("token create {id} ({name}, {scope})")).await?;
    anstream::eprintln!("token {id} for {name}, scope {scope}; it is shown this once:");
    // Its owner must get it; nothing keeps it.
    anstream::println!("{}", minted.text.expose());
    Ok(Exit::Passed)
}

async fn list(store: &dyn Store, as_json: bool) -> Result<Exit, Failure> {
    let tokens = store.tokens().await.map_err(Failure::infrastructure)?;
    let state = |token: &TokenRecord| match (token.revoked_at, token.is_valid(now())) {
        (Some(_), _) => "revoked",
        (None, true) => "valid",
        (None, false) => "ended",
    };
    if as_json {
        let view = |token: &TokenRecord| {
            json!({"id": token.id, "name": token.name, "scope": token.scope, "state": state(token),
                "created_at": token.created_at, "expires_at": token.expires_at})
        };
        print_json(&tokens.iter().map(view).collect::<Vec<_>>())?;
        return Ok(Exit::Passed);
    }
    let mut lines = vec![["ID", "NAME", "SCOPE", "STATE", "MADE", "ENDS"].map(str::to_owned).to_vec()];
    for token in &tokens {
        let ends = token.expires_at.map_or_else(|| "never".to_owned(), |end| end.to_string());
        let made = token.created_at.to_string();
        let (name, scope, state) = (token.name.clone(), token.scope.to_string(), state(token).to_owned());
        lines.push(vec![token.id.clone(), name, scope, state, made, ends]);
    }
    table::print(&lines);
    Ok(Exit::Passed)
}

/// The command line changes who may come in: the audit log says so, too.
async fn note(store: &dyn Store, action: String) -> Result<(), Failure> {
    let (actor, peer) = ("command line".to_owned(), "this machine".to_owned());
    let entry = AuditEntry { number: 0, at: now(), actor, peer, action, status: 200, detail: String::new() };
    store.append_audit(entry).await.map_err(Failure::infrastructure)
}

fn unknown(id: &str) -> Failure {
    Failure::usage(format!("no valid token has the id {id:?}; `tapwright token list` shows them"))
}

fn now() -> Timestamp {
    let now = Timestamp::now();
    now.round(Unit::Second).unwrap_or(now)
}

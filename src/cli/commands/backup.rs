//! `tapwright backup`.

use super::database::Database;
use crate::app::Workspace;
use crate::cli::{BackupArgs, Exit, Failure};
use crate::store::SqliteStore;

/// Writes a copy of the queue's database, whole at one moment, whatever a daemon does meanwhile.
pub(super) async fn backup(args: BackupArgs, workspace: &Workspace) -> Result<Exit, Failure> {
    let database = Database::chosen(args.database, workspace)?;
    let Database::File(file) = &database else {
        let told = "the database is PostgreSQL's: its own `pg_dump --format=custom` makes a backup of it";
        return Err(Failure::usage(told));
    };
    if !file.is_file() {
        return Err(Failure::usage(format!(
            "there is no database {}: nothing was ever handed in here",
            file.display()
        )));
    }
    if args.output.exists() {
        return Err(Failure::usage(format!("{} is there already: give the backup a new name", args.output.display())));
    }
    SqliteStore::backup(file, &args.output).await.map_err(Failure::infrastructure)?;
    anstream::println!("{}", args.output.display());
    anstream::eprintln!("the key {} is not in it: keep a copy of that elsewhere", database.key(workspace).display());
    Ok(Exit::Passed)
}

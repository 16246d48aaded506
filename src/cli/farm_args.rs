//! Arguments of `serve` and of the commands about a daemon.

use super::args::DataArgs;
use crate::store::Scope;
use clap::{Args, Subcommand};
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;

/// `serve`.
#[derive(Debug, Args)]
pub struct ServeArgs {
    /// Where to listen; beyond loopback only with --tokens and TLS [default: `TAPWRIGHT_LISTEN`, or 127.0.0.1:7878]
    #[arg(long, value_name = "ADDRESS")]
    pub listen: Option<SocketAddr>,
    /// The database: a file, or a `postgres://` URL that several hosts share
    /// [default: `TAPWRIGHT_DATABASE`, `TAPWRIGHT_DATABASE_URL`, or .tapwright/tapwright.db of the workspace]
    #[arg(long, value_name = "FILE|URL")]
    pub database: Option<PathBuf>,
    /// The key of sealed parameters; hosts that share a database need the same [default: `TAPWRIGHT_KEY`, or beside the database]
    #[arg(long, value_name = "FILE")]
    pub key: Option<PathBuf>,
    /// The name of this host among those that share the database [default: `TAPWRIGHT_HOST`, or the system's]
    #[arg(long, value_name = "NAME")]
    pub host: Option<String>,
    /// Where recordings of ended runs are brought, for all hosts: `s3://BUCKET/FOLDER` or `file:///FOLDER`
    /// [default: `TAPWRIGHT_ARTIFACTS`, or they stay on their host]
    #[arg(long, value_name = "URL")]
    pub artifacts: Option<String>,
    /// Ask every caller for a token, those of this machine too (`tapwright token create`)
    #[arg(long)]
    pub tokens: bool,
    /// Speak TLS with the certificate chain in this PEM file
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub tls_certificate: Option<PathBuf>,
    /// The certificate's key, PEM
    #[arg(long, value_name = "FILE", requires = "tls_certificate")]
    pub tls_key: Option<PathBuf>,
}

/// `config`.
#[derive(Debug, Subcommand)]
pub enum ConfigCommand {
    /// Show every setting as it holds, and whether a flag, the environment or `tapwright.toml` says so
    Show {
        /// As `serve` would be started
        #[command(flatten)]
        serve: ServeArgs,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

/// `doctor`.
#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// Check what a daemon of this workspace needs on this host, too, and whether it answers
    #[arg(long)]
    pub farm: bool,
    /// How it is printed
    #[command(flatten)]
    pub data: DataArgs,
}

/// `backup`.
#[derive(Debug, Args)]
pub struct BackupArgs {
    /// The file to write; there must be none yet
    #[arg(value_name = "FILE")]
    pub output: PathBuf,
    /// The database [default: that of the daemon]
    #[arg(long, value_name = "FILE")]
    pub database: Option<PathBuf>,
}

/// The database of commands that need no daemon.
#[derive(Debug, Args)]
pub struct DatabaseArgs {
    /// The database: a file, or a `postgres://` URL
    /// [default: `TAPWRIGHT_DATABASE`, `TAPWRIGHT_DATABASE_URL`, or .tapwright/tapwright.db of the workspace]
    #[arg(long, value_name = "FILE|URL")]
    pub database: Option<PathBuf>,
}

/// The daemon of commands that need one.
#[derive(Debug, Args)]
pub struct RemoteArgs {
    /// The daemon; `TAPWRIGHT_TOKEN` is shown to one that asks for a token
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:7878")]
    pub daemon: String,
}

/// What a night is made of.
#[derive(Debug, Args)]
pub struct NightSelection {
    /// Cases by their ids
    #[arg(value_name = "ID")]
    pub cases: Vec<String>,
    /// All cases with this tag (repeatable)
    #[arg(long = "tag", value_name = "TAG")]
    pub tags: Vec<String>,
    /// All cases of this folder below a folder of cases (repeatable)
    #[arg(long = "suite", value_name = "SUITE")]
    pub suites: Vec<String>,
    /// Run each case on a device of this profile (repeatable) [default: any device, once]
    #[arg(long = "profile", value_name = "PROFILE")]
    pub profiles: Vec<String>,
    /// Run each case on a device whose system has this language, as de-DE (repeatable) [default: any]
    #[arg(long = "locale", value_name = "LOCALE")]
    pub locales: Vec<String>,
    /// Run each case at this place, as 48.85,2.35 (repeatable) [default: its own]
    #[arg(long = "location", value_name = "LAT,LON", allow_hyphen_values = true)]
    pub locations: Vec<String>,
    /// Try again so often what did not pass; all tries are kept, and what passes then is flaky
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub retries: u32,
    /// Make at most so many of its runs at once
    #[arg(long, value_name = "N")]
    pub concurrency: Option<NonZeroU32>,
    /// Begin no run in these hours, as 08:00-18:00
    #[arg(long, value_name = "FROM-TO")]
    pub quiet: Option<String>,
    /// The time zone of --quiet
    #[arg(long, value_name = "ZONE", default_value = "UTC")]
    pub quiet_zone: String,
}

/// `night …`.
#[derive(Debug, Subcommand)]
pub enum NightCommand {
    /// Hand many cases in together; prints the night's id
    Start {
        /// What it is made of
        #[command(flatten)]
        selection: NightSelection,
        /// What people call it; nights of one name are compared with each other
        #[arg(long)]
        name: Option<String>,
        /// The revision that is tested
        #[arg(long)]
        commit: Option<String>,
        /// Begin with cases that say they are touched by what changed since this revision
        #[arg(long, value_name = "REV")]
        changed_since: Option<String>,
        /// Who takes it
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// List nights, the latest first
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
        /// Whose
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// Show what a night found, by cause; exits as `gate` does
    Show {
        /// Its id
        id: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
        /// Whose
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// Call a night off
    Cancel {
        /// Its id
        id: String,
        /// Whose
        #[command(flatten)]
        remote: RemoteArgs,
    },
}

/// `schedule …`.
#[derive(Debug, Subcommand)]
pub enum ScheduleCommand {
    /// Make a schedule, or change the one of this name; `TAPWRIGHT_WEBHOOK_SECRET` lets a webhook begin its nights
    Set {
        /// Its name, and that of its nights
        name: String,
        /// When it fires: minute hour day month weekday, as "30 22 * * mon-fri"
        #[arg(long)]
        cron: Option<String>,
        /// The time zone of --cron
        #[arg(long, default_value = "UTC")]
        zone: String,
        /// Let it rest
        #[arg(long)]
        paused: bool,
        /// What its nights are made of
        #[command(flatten)]
        selection: NightSelection,
        /// Whose
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// List schedules, with when they fire next
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
        /// Whose
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// Begin its night now
    Begin {
        /// Its name
        name: String,
        /// Whose
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// Remove a schedule; its nights stay
    Remove {
        /// Its name
        name: String,
        /// Whose
        #[command(flatten)]
        remote: RemoteArgs,
    },
}

/// `token …`.
#[derive(Debug, Subcommand)]
pub enum TokenCommand {
    /// Make a token and print it, this once
    Create {
        /// Whose it is, for lists and the audit log
        name: String,
        /// What it allows: read, run (hand in runs) or admin (schedules, devices, audit log)
        #[arg(long, default_value_t = Scope::Run)]
        scope: Scope,
        /// Days until it ends [default: never]
        #[arg(long, value_name = "DAYS")]
        days: Option<NonZeroU32>,
        /// Where it is kept
        #[command(flatten)]
        database: DatabaseArgs,
    },
    /// List all tokens, without their secrets
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
        /// Where they are kept
        #[command(flatten)]
        database: DatabaseArgs,
    },
    /// Make a new token in place of one, which goes on for a while
    Rotate {
        /// Its id, as `token list` shows it
        id: String,
        /// Hours until the old one ends
        #[arg(long, value_name = "HOURS", default_value_t = 24)]
        grace: u32,
        /// Where they are kept
        #[command(flatten)]
        database: DatabaseArgs,
    },
    /// Take a token back, at once
    Revoke {
        /// Its id, as `token list` shows it
        id: String,
        /// Where it is kept
        #[command(flatten)]
        database: DatabaseArgs,
    },
}

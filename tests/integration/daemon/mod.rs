//! The daemon over real HTTP with a real database; only the launcher is played.

mod artifacts;
mod fake_launcher;
mod http_api;
mod lifecycle;
mod queue;
mod retention;
mod sick_database;
mod test_daemon;

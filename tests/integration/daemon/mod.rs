//! The daemon over real HTTP with a real database; only the launcher is played.

mod access;
mod artifact_store;
mod artifacts;
mod brittle_store;
mod dashboard;
mod fake_launcher;
mod http_api;
mod lifecycle;
mod nights;
mod openapi;
#[path = "../../../src/store/pg_server.rs"]
mod pg_server;
mod pool;
mod queue;
mod retention;
mod reviews;
mod sick_database;
mod test_daemon;
mod two_hosts;

//! Integration tests: one binary, one module per subject.

mod adb_client;
mod adb_device;
mod adb_stub;

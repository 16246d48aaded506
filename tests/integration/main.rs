//! Integration tests, one binary: each module drives a whole room or the whole product from outside.

mod daemon;
//! Integration tests: one binary, one module per subject.

mod adb_client;
mod adb_device;
mod adb_stub;
//! t

mod real_dumps;
mod cases;

//! Integration tests, one binary: each module drives a whole room or the whole product from outside.

mod adb_client;
mod adb_device;
mod adb_stub;
mod bench;
mod cases;
#[cfg(unix)]
mod command_line;
mod daemon;
mod first_light;
mod inference;
#[cfg(unix)]
mod interrupted;
#[cfg(unix)]
mod model_install;
mod ocr;
mod real_dumps;
#[cfg(unix)]
mod serve;

mod harness;
mod two_buttons;
mod virtual_device;
mod virtual_device_facts;

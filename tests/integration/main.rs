//! Integration tests, one binary.

mod harness;
mod two_buttons;
mod virtual_device;
mod virtual_device_facts;

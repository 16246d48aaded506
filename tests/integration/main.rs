//! Integration tests, one binary: each module drives a whole room or the whole product from outside.

mod acquisition;
mod adb_client;
mod adb_device;
mod adb_stub;
mod already_true;
#[cfg(unix)]
mod appium;
#[cfg(unix)]
mod bad_input;
mod bench;
mod blind_verdicts;
mod cases;
mod checks;
#[cfg(unix)]
mod ci;
mod clients;
#[cfg(unix)]
mod command_line;
mod commander;
mod console;
mod daemon;
mod device_care;
#[cfg(unix)]
mod emulate;
mod emulators;
mod ensemble;
mod farm_guide;
mod faults;
mod first_light;
mod first_screens;
#[cfg(unix)]
mod flywheel;
#[cfg(unix)]
mod framework;
#[cfg(unix)]
mod gate;
#[cfg(unix)]
mod goals;
#[cfg(unix)]
mod golden_decisions;
mod gym;
mod inference;
#[cfg(unix)]
mod interrupted;
#[cfg(unix)]
mod languages;
mod left_out;
mod links;
mod mcp;
#[cfg(unix)]
mod model_install;
mod next_action;
mod ocr;
mod packaging;
mod pulse;
mod raw_host;
mod real_dumps;
#[cfg(unix)]
mod record;
#[cfg(unix)]
mod recordings;
#[cfg(unix)]
mod repairs;
mod review;
mod secrets;
mod serve;

mod facts_dump;
mod facts_input;
mod facts_log;
mod facts_services;
mod facts_shell;
mod facts_toybox;
mod harness;
mod screen_kinds;
mod scripted_screen;
#[cfg(unix)]
mod suites;
mod timing;
mod two_buttons;
mod unicode;
mod virtual_device;
mod virtual_device_apps;
mod virtual_device_facts;
mod virtual_device_system;
mod virtual_wire;
mod waiting;
mod walkthrough;

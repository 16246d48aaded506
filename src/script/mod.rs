//! Persistent scripts: recording, guarding, replaying, exporting.

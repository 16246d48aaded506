//! Consumers of events that people read.

//! Integration tests, one binary: each module drives a whole room or the whole product from outside.
//! One binary for all integration tests: it links once.

mod daemon;

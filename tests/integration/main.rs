//! Integration tests, one binary: each module drives a whole room or the whole product from outside.

mod daemon;

//! Tests across rooms, in one binary.

mod inference;

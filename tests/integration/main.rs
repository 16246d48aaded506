//! t

mod cases;

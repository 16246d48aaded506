//! t

mod real_dumps;

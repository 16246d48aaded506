//! Test cases as people write them: loading, checking, parameters, rewriting.

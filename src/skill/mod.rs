//! The skill library: loading, validating, and expanding actions into shell lines.

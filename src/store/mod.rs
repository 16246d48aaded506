//! Where runs and the queue live.

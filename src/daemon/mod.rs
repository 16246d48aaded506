//! The long-running service: HTTP API, queue workers, device tracking.

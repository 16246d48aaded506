//! A case on a device: the executor and its event stream.

//! Arguments, exit codes and the console.

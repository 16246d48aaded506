//! The `tapwright` command.

/// Gives memory back that many threads allocated and freed: pictures of a farm's devices have ten megabytes each.
#[cfg(not(target_env = "msvc"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> std::process::ExitCode {
    tapwright::app::main()
}

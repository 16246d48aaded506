//! Work that blocks its thread, within a run.

use tokio::runtime::{Handle, RuntimeFlavor};

/// Does work that reads files or computes for long. Where there are several threads, another one goes on with all else that
/// this one had to do.
pub(super) fn aside<T>(work: impl FnOnce() -> T) -> T {
    match Handle::try_current().map(|handle| handle.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(work),
        _ => work(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;
    use std::time::Duration;

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn what_blocks_the_only_thread_holds_up_nothing_else() {
        let (tell, told) = channel();
        let blocked = tokio::spawn(async move { aside(|| told.recv_timeout(Duration::from_secs(20))) });
        let other = tokio::spawn(async move { tell.send(7) });
        assert_eq!(blocked.await.unwrap(), Ok(7));
        other.await.unwrap().unwrap();
    }

    #[tokio::test]
    async fn with_one_thread_it_is_done_at_once() {
        assert_eq!(aside(|| 7), 7);
    }
}

//! `framebuffer:`: a header, then the pixels once (`framebuffer_service.cpp`; services.md describes another format that
//! the code does not have).

use crate::system::SharedSystem;
use crate::wire::StreamWriter;
use std::sync::Arc;

pub(super) async fn run(system: Arc<SharedSystem>, writer: StreamWriter) {
    let taken = tokio::task::spawn_blocking(move || {
        let mut system = system.lock();
        (system.config().api, system.screenshot())
    });
    let (api, picture) = match taken.await {
        Ok(taken) => taken,
        Err(error) => {
            tracing::error!(%error, "the screen could not be drawn; this is a defect of the app in front");
            return;
        }
    };
    let size = picture.size();
    // Version 2 (Android 9) added the colour space; the order of the channels is red, blue, green, alpha.
    let mut words = if api.since(28) { vec![2, 32, 1] } else { vec![1, 32] };
    words.extend([picture.rgba().len() as u32, size.width, size.height, 0, 8, 16, 8, 8, 8, 24, 8]);
    let header: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
    // A host that closes early has seen enough.
    if writer.write(&header).await.is_ok() {
        let _closed = writer.write(picture.rgba()).await;
    }
}

//! What is on the display: the picture, and the tree a `UiAutomation` gets.

use super::VirtualSystem;
use crate::ElementSnapshot;
use crate::domain::Screenshot;

impl VirtualSystem {
    /// The picture of the whole display; black while an app in sight keeps it secret (`FLAG_SECURE`).
    pub fn screenshot(&mut self) -> Screenshot {
        let display = self.display();
        let recents = self.tasks.shows_recents();
        let task = self.tasks.front_task_mut();
        if !recents && task.process.secure() {
            return Screenshot::blank(display);
        }
        let mut picture = if recents { Screenshot::blank(display) } else { task.process.render() };
        if !recents {
            for window in &mut task.windows {
                picture = window.running.process.render_over(&picture);
            }
        }
        for overlay in self.tasks.overlays_mut() {
            picture = overlay.running.process.render_over(&picture);
        }
        picture
    }

    /// The active window's tree; `None` while its main thread does not answer (`null root node`).
    pub fn window_root(&mut self) -> Option<ElementSnapshot> {
        let process = self.front_process();
        if process.hung() { None } else { Some(process.snapshot()) }
    }
}

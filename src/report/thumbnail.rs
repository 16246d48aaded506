//! Screenshots, small enough for a report of many steps.

use super::data_uri;
use crate::domain::Size;
use std::collections::HashMap;
use std::io::Cursor;
use std::path::{Component, Path};

/// A screenshot for a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Thumbnail {
    /// The picture as a `data:` URI.
    pub(super) uri: String,
    /// The display's size, in which bounds are given.
    pub(super) display: Size,
}

/// Pixels across; small print can be read, about 30 kB a screen.
const WIDTH: u32 = 480;

/// The thumbnails of a run's folder, each file read once.
#[derive(Debug)]
pub(super) struct Album<'f> {
    folder: &'f Path,
    known: HashMap<String, Option<Thumbnail>>,
    problems: Vec<String>,
}

impl<'f> Album<'f> {
    pub(super) fn new(folder: &'f Path) -> Self {
        Self { folder, known: HashMap::new(), problems: Vec::new() }
    }

    /// The thumbnail of an artifact path; `None`, with a note for the report, when there is none.
    pub(super) fn get(&mut self, artifact: &str) -> Option<Thumbnail> {
        if let Some(known) = self.known.get(artifact) {
            return known.clone();
        }
        let made = match make(self.folder, artifact) {
            Ok(thumbnail) => Some(thumbnail),
            Err(problem) => {
                self.problems.push(format!("screenshot {artifact}: {problem}"));
                None
            }
        };
        self.known.insert(artifact.to_owned(), made.clone());
        made
    }

    /// What went wrong, for the report's diagnostics.
    pub(super) fn into_problems(self) -> Vec<String> {
        self.problems
    }
}

fn make(folder: &Path, artifact: &str) -> Result<Thumbnail, String> {
    let relative = Path::new(artifact);
    if !relative.components().all(|part| matches!(part, Component::Normal(_))) {
        return Err("not a path inside the run's folder".to_owned());
    }
    let bytes = std::fs::read(folder.join(relative)).map_err(|error| error.kind().to_string())?;
    let picture = image::load_from_memory_with_format(&bytes, image::ImageFormat::Png)
        .map_err(|error| format!("not a PNG ({error})"))?;
    let display = Size::new(picture.width(), picture.height());
    if picture.width() <= WIDTH {
        return Ok(Thumbnail { uri: data_uri::png(&bytes), display });
    }
    // By whole numbers, each pixel the mean of those it stands for: a filter takes several times as long and shows no more.
    let small = image::DynamicImage::ImageRgb8(picture.into_rgb8()).thumbnail(WIDTH, u32::MAX).into_rgb8();
    let mut png = Cursor::new(Vec::new());
    small.write_to(&mut png, image::ImageFormat::Png).map_err(|error| error.to_string())?;
    Ok(Thumbnail { uri: data_uri::png(png.get_ref()), display })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_screenshot_is_scaled_and_a_bad_one_becomes_a_note() {
        let folder = tempfile::tempdir().unwrap();
        image::RgbaImage::new(1080, 2400).save(folder.path().join("a.png")).unwrap();
        std::fs::write(folder.path().join("b.png"), "no picture").unwrap();
        let mut album = Album::new(folder.path());
        let thumbnail = album.get("a.png").unwrap();
        assert_eq!(thumbnail.display, Size::new(1080, 2400));
        assert!(thumbnail.uri.len() < 60_000);
        for bad in ["b.png", "../a.png", "/etc/passwd", "none.png"] {
            assert_eq!(album.get(bad), None, "{bad}");
        }
        assert_eq!(album.into_problems().len(), 4);
    }
}

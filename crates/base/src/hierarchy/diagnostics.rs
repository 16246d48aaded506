//! Notes taken while parsing, bounded in number.

use super::Diagnostic;

const MAX_NOTES: usize = 40;

/// Collects [`Diagnostic`]s; after forty, only counts.
#[derive(Debug, Default)]
pub(super) struct Notes {
    notes: Vec<Diagnostic>,
    dropped: usize,
}

impl Notes {
    pub(super) fn push(&mut self, offset: Option<usize>, message: impl Into<String>) {
        if self.notes.len() < MAX_NOTES {
            self.notes.push(Diagnostic { offset: offset.map(|at| at as u64), message: message.into() });
        } else {
            self.dropped += 1;
        }
    }

    pub(super) fn into_vec(mut self) -> Vec<Diagnostic> {
        if self.dropped > 0 {
            let message = format!("{} more oddities of this dump are not listed", self.dropped);
            self.notes.push(Diagnostic { offset: None, message });
        }
        self.notes
    }
}

/// At most `limit` characters of `text`, on one line, for a message.
pub(super) fn excerpt(text: &str, limit: usize) -> String {
    let mut out: String = text.trim().chars().take(limit).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.trim().chars().nth(limit).is_some() {
        out.push('…');
    }
    out
}

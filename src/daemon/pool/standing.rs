//! What the daemon thinks of a device, by how runs on it end.

use super::DeviceEvent;

/// How far a device is trusted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in crate::daemon) enum Standing {
    /// Nothing is known against it.
    #[default]
    Sound,
    /// The last run on it ended as an error for this reason; it gets runs after the others.
    Suspect(String),
    /// Two runs in a row did; it gets no more until somebody releases it.
    Quarantined(String),
}

/// What is held against a device that stopped answering.
const SILENT: &str = "it stopped answering";

impl Standing {
    /// The next standing.
    #[must_use]
    #[expect(clippy::match_same_arms, reason = "one line per transition")]
    pub(super) fn after(self, happening: &DeviceEvent) -> Self {
        use DeviceEvent::{Erred, FellSilent, Judged, Released, Rested, Withdrawn};
        match (self, happening) {
            (Self::Sound, Erred(reason)) => Self::Suspect(reason.clone()),
            (Self::Sound, FellSilent) => Self::Suspect(SILENT.to_owned()),
            (Self::Sound, Judged | Released) => Self::Sound,

            (Self::Suspect(_), Erred(reason)) => Self::Quarantined(reason.clone()),
            // The run it had may have ended as an error for it already: that is one trouble, not two.
            (same @ Self::Suspect(_), FellSilent) => same,
            (Self::Suspect(_), Judged) => Self::Sound,
            (Self::Suspect(_), Released) => Self::Sound,
            (Self::Suspect(_), Rested) => Self::Sound,

            // One chance: the next error brings it back at once.
            (Self::Quarantined(reason), Released) => Self::Suspect(reason),
            (same @ Self::Quarantined(_), Judged | Erred(_) | FellSilent) => same,

            (_, Withdrawn(reason)) => Self::Quarantined(reason.clone()),
            (same, _) => same,
        }
    }

    /// As the API says it.
    pub(in crate::daemon) const fn word(&self) -> &'static str {
        match self {
            Self::Sound => "sound",
            Self::Suspect(_) => "suspect",
            Self::Quarantined(_) => "quarantined",
        }
    }

    /// What was stored of it; `None` for a word that is none.
    pub(in crate::daemon) fn stored(word: &str, reason: String) -> Option<Self> {
        match word {
            "suspect" => Some(Self::Suspect(reason)),
            "quarantined" => Some(Self::Quarantined(reason)),
            _ => None,
        }
    }

    /// What is held against it.
    pub(in crate::daemon) fn reason(&self) -> Option<&str> {
        match self {
            Self::Sound => None,
            Self::Suspect(reason) | Self::Quarantined(reason) => Some(reason),
        }
    }

    /// True when it gets no runs.
    pub(in crate::daemon) const fn is_quarantined(&self) -> bool {
        matches!(self, Self::Quarantined(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_of_a_standing_reads_back() {
        for standing in [Standing::Suspect("full".to_owned()), Standing::Quarantined("offline".to_owned())] {
            let reason = standing.reason().unwrap_or_default().to_owned();
            assert_eq!(Standing::stored(standing.word(), reason), Some(standing));
        }
        assert_eq!(Standing::stored("sound", String::new()), None);
    }

    #[test]
    fn a_device_s_standing_reads_as_a_table() {
        use DeviceEvent::{Erred, FellSilent, Judged, Released};
        let erred = |reason: &str| Erred(reason.to_owned());
        let mut standing = Standing::Sound;
        for (happening, word, reason) in [
            (Judged, "sound", None),
            (erred("full"), "suspect", Some("full")),
            (Judged, "sound", None),
            (FellSilent, "suspect", Some(SILENT)),
            (FellSilent, "suspect", Some(SILENT)),
            (Judged, "sound", None),
            (erred("full"), "suspect", Some("full")),
            (FellSilent, "suspect", Some("full")),
            (erred("offline"), "quarantined", Some("offline")),
            (Judged, "quarantined", Some("offline")),
            (erred("other"), "quarantined", Some("offline")),
            (FellSilent, "quarantined", Some("offline")),
            (Released, "suspect", Some("offline")),
            (erred("again"), "quarantined", Some("again")),
            (Released, "suspect", Some("again")),
            (Released, "sound", None),
        ] {
            let before = standing.clone();
            standing = standing.after(&happening);
            assert_eq!((standing.word(), standing.reason()), (word, reason), "{before:?} after {happening:?}");
        }
    }
}

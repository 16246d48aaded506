//! The state of a device: one table of transitions.

use super::Standing;

/// Where a device is on its way through the pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::daemon) enum Phase {
    /// Known from before, not seen yet.
    #[default]
    New,
    /// Made ready, or asked how it is after a run.
    Preparing,
    /// It gets the next run.
    Ready,
    /// A run has it.
    Leased,
    /// It gets runs after the others: something is held against it.
    Suspect,
    /// It gets no runs until somebody releases it.
    Quarantined,
    /// It is not connected, or does not answer.
    Gone,
}

impl Phase {
    /// As the API says it.
    pub(in crate::daemon) const fn word(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Preparing => "preparing",
            Self::Ready => "ready",
            Self::Leased => "leased",
            Self::Suspect => "suspect",
            Self::Quarantined => "quarantined",
            Self::Gone => "gone",
        }
    }

    /// True when a run may take it.
    pub(in crate::daemon) const fn is_idle(self) -> bool {
        matches!(self, Self::Ready | Self::Suspect)
    }
}

/// What happens to a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::daemon) enum DeviceEvent {
    /// The adb server lists it as ready.
    Appeared,
    /// It is as its profile wants it, and fit.
    Prepared,
    /// It cannot be made ready, or is not fit now, for this reason.
    Unfit(String),
    /// A run took it.
    Leased,
    /// A run on it came to a verdict about the app.
    Judged,
    /// A run on it ended as an error that nothing else explains.
    Erred(String),
    /// It had rested, was asked how it is and for what it shows, and is fit.
    Rested,
    /// The run that had it has let it go.
    Freed,
    /// It stopped answering.
    FellSilent,
    /// The adb server does not list it as ready any more.
    Vanished,
    /// A person gave it back, or the time for which it was reserved is over.
    Returned,
    /// Somebody has seen to it.
    Released,
    /// Somebody took it out, for this reason.
    Withdrawn(String),
}

/// All that is known of a device's state.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in crate::daemon) struct Condition {
    /// Where it is on its way.
    pub(in crate::daemon) phase: Phase,
    /// What is held against it.
    pub(in crate::daemon) standing: Standing,
    /// Why it is not made ready yet.
    pub(in crate::daemon) unfit: Option<String>,
    /// Its settings are not what its profile wants, as far as is known.
    pub(in crate::daemon) raw: bool,
}

impl Condition {
    /// The next condition.
    #[must_use]
    #[expect(clippy::match_same_arms, reason = "one line per transition")]
    pub(super) fn after(&self, happening: &DeviceEvent) -> Self {
        use DeviceEvent as H;
        use Phase as P;
        let standing = match (self.phase, happening) {
            // A run has it meanwhile, and will tell more.
            (phase, H::Rested) if phase != P::Suspect => self.standing.clone(),
            _ => self.standing.clone().after(happening),
        };
        let phase = match (self.phase, happening) {
            (P::New | P::Gone, H::Appeared) => P::Preparing,
            (P::Preparing, H::Prepared) => P::Ready,
            (P::Preparing | P::Suspect, H::Unfit(_)) => P::Preparing,
            (P::Ready | P::Suspect, H::Leased) => P::Leased,
            (P::Leased, H::Freed) => P::Preparing,
            (P::Ready | P::Suspect | P::Quarantined, H::Returned) => P::Preparing,
            (P::Quarantined, H::Released) => P::Preparing,
            (P::Suspect, H::Released) => P::Ready,
            (_, H::FellSilent | H::Vanished) => P::Gone,
            (P::Preparing | P::Ready | P::Suspect, H::Withdrawn(_)) => P::Quarantined,
            // A run that has it ends first; what is gone stays gone; the rest changes nothing.
            (same, _) => same,
        };
        // What is held against a device decides in which of the three it rests.
        let phase = match (phase, &standing) {
            (P::Preparing | P::Ready | P::Suspect, Standing::Quarantined(_)) => P::Quarantined,
            (P::Ready | P::Suspect, Standing::Suspect(_)) => P::Suspect,
            (P::Suspect, Standing::Sound) => P::Ready,
            (other, _) => other,
        };
        let unfit = match happening {
            H::Unfit(reason) if phase == P::Preparing => Some(reason.clone()),
            _ if phase == P::Preparing && self.phase == P::Preparing => self.unfit.clone(),
            _ => None,
        };
        let raw = match happening {
            H::Appeared => matches!(self.phase, P::New | P::Gone) || self.raw,
            H::Returned => true,
            H::Released => self.phase == P::Quarantined || self.raw,
            H::Prepared => false,
            _ => self.raw,
        };
        Self { phase, standing, unfit, raw }
    }

    /// What the device's log says of a happening that led from `self` to `after`; `None` for what happens at every run.
    pub(in crate::daemon) fn told(&self, happening: &DeviceEvent, after: &Self) -> Option<String> {
        let moved = self.phase != after.phase || self.standing != after.standing;
        Some(match happening {
            DeviceEvent::Unfit(reason) if self.unfit.as_ref() != Some(reason) => format!("not ready: {reason}"),
            _ if !moved => return None,
            DeviceEvent::Appeared => "connected".to_owned(),
            DeviceEvent::Prepared if self.raw => "prepared".to_owned(),
            DeviceEvent::Judged => "a run on it came to a verdict: nothing is held against it any more".to_owned(),
            DeviceEvent::Rested => {
                "it rested, is fit and shows its screen: nothing is held against it any more".to_owned()
            }
            DeviceEvent::Erred(reason) => format!("a run ended as an error: {reason}"),
            DeviceEvent::FellSilent => "stopped answering".to_owned(),
            DeviceEvent::Vanished => "disconnected".to_owned(),
            DeviceEvent::Returned => "given back".to_owned(),
            DeviceEvent::Released => "released".to_owned(),
            DeviceEvent::Withdrawn(reason) => format!("taken out: {reason}"),
            DeviceEvent::Freed if after.phase == Phase::Quarantined => "the run has let it go".to_owned(),
            DeviceEvent::Prepared | DeviceEvent::Unfit(_) | DeviceEvent::Leased | DeviceEvent::Freed => return None,
        })
    }
}

/// Beginnings of a log's lines that tell of trouble.
const TROUBLES: [&str; 5] = ["a run ended as an error", "stopped answering", "disconnected", "not ready", "taken out"];

/// True for a line of a device's log that tells of trouble with it.
pub(in crate::daemon) fn is_trouble(what: &str) -> bool {
    TROUBLES.iter().any(|trouble| what.starts_with(trouble))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn erred() -> DeviceEvent {
        DeviceEvent::Erred("full".to_owned())
    }

    #[test]
    fn a_device_s_way_through_the_pool_reads_as_a_table() {
        use DeviceEvent::{
            Appeared, FellSilent, Freed, Judged, Leased, Prepared, Released, Rested, Returned, Vanished,
        };
        let unfit = || DeviceEvent::Unfit("booting".to_owned());
        let withdrawn = || DeviceEvent::Withdrawn("screen broken".to_owned());
        let mut condition = Condition::default();
        for (happening, phase, reason) in [
            (Prepared, "new", None),
            (Appeared, "preparing", None),
            (Leased, "preparing", None),
            (unfit(), "preparing", None),
            (Prepared, "ready", None),
            (Leased, "leased", None),
            (Judged, "leased", None),
            (Freed, "preparing", None),
            (Prepared, "ready", None),
            // An error, and the next run clears it.
            (Leased, "leased", None),
            (erred(), "leased", Some("full")),
            (Freed, "preparing", Some("full")),
            (Prepared, "suspect", Some("full")),
            (Leased, "leased", Some("full")),
            (Judged, "leased", None),
            (Freed, "preparing", None),
            (Prepared, "ready", None),
            // Two errors in a row.
            (Leased, "leased", None),
            (erred(), "leased", Some("full")),
            (Freed, "preparing", Some("full")),
            (Prepared, "suspect", Some("full")),
            (Leased, "leased", Some("full")),
            (erred(), "leased", Some("full")),
            (Freed, "quarantined", Some("full")),
            (Leased, "quarantined", Some("full")),
            (Prepared, "quarantined", Some("full")),
            // It goes and comes: that heals nothing.
            (Vanished, "gone", Some("full")),
            (Appeared, "quarantined", Some("full")),
            (Released, "preparing", Some("full")),
            (Prepared, "suspect", Some("full")),
            (Released, "ready", None),
            // A person has it, and gives it back.
            (Returned, "preparing", None),
            (Prepared, "ready", None),
            (FellSilent, "gone", Some("it stopped answering")),
            (Appeared, "preparing", Some("it stopped answering")),
            (Rested, "preparing", Some("it stopped answering")),
            (Prepared, "suspect", Some("it stopped answering")),
            (Released, "ready", None),
            // It is asked how it is after a rest.
            (FellSilent, "gone", Some("it stopped answering")),
            (Appeared, "preparing", Some("it stopped answering")),
            (Prepared, "suspect", Some("it stopped answering")),
            (unfit(), "preparing", Some("it stopped answering")),
            (Prepared, "suspect", Some("it stopped answering")),
            (Released, "ready", None),
            // Nothing is heard against it for long, and it is fit.
            (FellSilent, "gone", Some("it stopped answering")),
            (Appeared, "preparing", Some("it stopped answering")),
            (Prepared, "suspect", Some("it stopped answering")),
            (Leased, "leased", Some("it stopped answering")),
            (Rested, "leased", Some("it stopped answering")),
            (Freed, "preparing", Some("it stopped answering")),
            (Prepared, "suspect", Some("it stopped answering")),
            (Rested, "ready", None),
            (Rested, "ready", None),
            // It goes while a run has it; the run's end changes nothing of that.
            (Leased, "leased", None),
            (Vanished, "gone", None),
            (Freed, "gone", None),
            (Appeared, "preparing", None),
            (Freed, "preparing", None),
            (Prepared, "ready", None),
            // Taken out while a run has it: after that run.
            (Leased, "leased", None),
            (withdrawn(), "leased", Some("screen broken")),
            (Judged, "leased", Some("screen broken")),
            (Freed, "quarantined", Some("screen broken")),
            (Rested, "quarantined", Some("screen broken")),
        ] {
            let before = condition.clone();
            condition = condition.after(&happening);
            let found = (condition.phase.word(), condition.standing.reason());
            assert_eq!(found, (phase, reason), "{before:?} after {happening:?}");
        }
    }

    #[test]
    fn what_happens_at_every_run_is_not_logged_and_the_rest_is() {
        let mut condition = Condition::default();
        let mut log = Vec::new();
        let unfit = |why: &str| DeviceEvent::Unfit(why.to_owned());
        for happening in [
            DeviceEvent::Appeared,
            unfit("booting"),
            unfit("booting"),
            unfit("2 MB are free"),
            DeviceEvent::Prepared,
            DeviceEvent::Leased,
            DeviceEvent::Judged,
            DeviceEvent::Freed,
            DeviceEvent::Prepared,
            DeviceEvent::Leased,
            erred(),
            DeviceEvent::Freed,
            DeviceEvent::Prepared,
            DeviceEvent::Vanished,
        ] {
            let after = condition.after(&happening);
            log.extend(condition.told(&happening, &after));
            condition = after;
        }
        let expected = [
            "connected",
            "not ready: booting",
            "not ready: 2 MB are free",
            "prepared",
            "a run ended as an error: full",
            "disconnected",
        ];
        assert_eq!(log, expected);
        let troubles: Vec<&String> = log.iter().filter(|what| is_trouble(what)).collect();
        assert_eq!(troubles, [&log[1], &log[2], &log[4], &log[5]]);
    }
}

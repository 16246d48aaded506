//! Pictures of one look at the screen, taken until two in a row look the same or until no more are wanted.

use crate::adb::reply::{PictureError, parse_picture};
use crate::adb::{Transport, command};
use crate::domain::{Diagnosis, DiagnosisCode, PictureAttempt, Screenshot};
use std::time::Duration;
use tokio::time::Instant;

/// Share of the pixels that may change between two pictures of a screen at rest: a spinner of 48 dp is 0.6 % of a phone's
/// display, a caret or a clock far less; a snack bar is 5 %.
const AT_REST: f64 = 0.01;

/// A picture that was tried.
pub(super) struct Taken {
    picture: Result<Screenshot, Diagnosis>,
    ms: f64,
}

impl Taken {
    /// It came about.
    pub(super) const fn shows(&self) -> bool {
        self.picture.is_ok()
    }
}

/// Takes pictures of a device and keeps the last.
pub(super) struct Pictures<'t> {
    transport: &'t Transport,
    budget: Duration,
    last: Option<Result<Screenshot, Diagnosis>>,
    attempts: Vec<PictureAttempt>,
}

impl<'t> Pictures<'t> {
    pub(super) fn new(transport: &'t Transport, budget: Duration) -> Self {
        Self { transport, budget, last: None, attempts: Vec::new() }
    }

    /// How many were tried.
    pub(super) fn tried(&self) -> usize {
        self.attempts.len()
    }

    /// The last one, if it came about.
    pub(super) fn last(&self) -> Option<&Screenshot> {
        self.last.as_ref()?.as_ref().ok()
    }

    /// Takes another. True when it shows something and looks like the one before.
    pub(super) async fn take(&mut self) -> bool {
        let taken = self.one().await;
        self.add(taken)
    }

    /// One picture, not kept yet.
    pub(super) async fn one(&self) -> Taken {
        let begun = Instant::now();
        let picture = self.picture().await;
        Taken { picture, ms: begun.elapsed().as_secs_f64() * 1000.0 }
    }

    /// Keeps another. True when it shows something and looks like the one before.
    pub(super) fn add(&mut self, Taken { picture: taken, ms }: Taken) -> bool {
        let failure = taken.as_ref().err().map(|diagnosis| diagnosis.message.clone());
        self.attempts.push(PictureAttempt { failure, ms });
        let same = match (&self.last, &taken) {
            // A protected screen is black whatever it does.
            (Some(Ok(before)), Ok(now)) => before.changed_share(now) <= AT_REST && !now.is_black(),
            _ => false,
        };
        self.last = Some(taken);
        same
    }

    /// The last picture, what is to be said about it, and every attempt.
    pub(super) fn finish(self) -> (Option<Screenshot>, Option<Diagnosis>, Vec<PictureAttempt>) {
        let (picture, diagnosis) = match self.last {
            Some(Ok(picture)) => {
                let diagnosis = blackness(&picture);
                (Some(picture), diagnosis)
            }
            Some(Err(diagnosis)) => (None, Some(diagnosis)),
            None => (None, None),
        };
        (picture, diagnosis, self.attempts)
    }

    /// A raw picture. Shell v2 rather than `exec:`, whose merged streams put warnings before the pixels and which has no
    /// exit code.
    async fn picture(&self) -> Result<Screenshot, Diagnosis> {
        let none = |reason: String| Diagnosis::new(DiagnosisCode::NoPicture, format!("no picture: {reason}"));
        let output = self.transport.run(&command::screencap(), self.budget).await.map_err(|e| none(e.to_string()))?;
        // Decoding touches some ten million bytes.
        let parsed = tokio::task::spawn_blocking(move || parse_picture(&output.stdout)).await;
        parsed.map_err(|error| none(error.to_string()))?.map_err(|error| {
            let code = match &error {
                PictureError::Empty => DiagnosisCode::NoPicture,
                PictureError::TooLarge { .. } => DiagnosisCode::PictureTooLarge,
                _ => DiagnosisCode::PictureDamaged,
            };
            Diagnosis::new(code, format!("no picture: {error}"))
        })
    }
}

/// A window with `FLAG_SECURE` gives a picture of the full size, all black.
fn blackness(picture: &Screenshot) -> Option<Diagnosis> {
    let message = "the picture is all black: the app protects this screen; nothing is looked for in it";
    picture.is_black().then(|| Diagnosis::new(DiagnosisCode::PictureBlack, message))
}

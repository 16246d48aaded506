//! Watching a person use an app: what they touch, and what they type.

use super::gesture::{Meaning, meaning, name};
use crate::adb::reply::Felt;
use crate::device::{DeviceError, Recorder, Seen};
use crate::domain::{Action, EventKind, EventSink, InputText, PackageName, Secret, SecretMask};
use crate::hierarchy::{Role, Screen, Widget};
use crate::run::ConnectedDevice;
use crate::run::build::Build;
use crate::run::start::start;
use crate::script::ActionTrace;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

/// How long a change of the screen that no touch made is waited for at a time.
const IDLE: Duration = Duration::from_secs(2);

/// How much later than its effect a touch may be told.
const LATE: Duration = Duration::from_secs(1);

/// Why a demonstration could not be watched.
#[derive(Debug, thiserror::Error)]
pub enum DemonstrationError {
    /// The device failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The touches ended.
    #[error("the device tells of no touches any more: is it still connected?")]
    Deaf,
}

/// What is told of a demonstration while it goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told {
    /// The screen was read: the next touch may come.
    Ready(String),
    /// A step was recorded.
    Step(usize, String),
    /// Something was not recorded, and why.
    Left(String),
}

/// A screen as far as the case needs it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Shown {
    /// Its title.
    pub title: String,
    /// Its texts that are no field's content, top down.
    pub texts: Vec<String>,
}

/// What was seen of a demonstration.
#[derive(Debug, Clone, PartialEq)]
pub struct Demonstrated {
    /// The app's version name, where it has one.
    pub version: Option<String>,
    /// What was done, each with its sentence.
    pub deeds: Vec<ActionTrace>,
    /// Names of the secrets that were typed.
    pub secrets: BTreeSet<String>,
    /// The screen at the start, the one before the last action, and the last one.
    pub shown: [Shown; 3],
}

struct Watcher<'a> {
    connected: &'a ConnectedDevice,
    seen: Seen,
    found: Demonstrated,
    tell: &'a mut dyn FnMut(Told),
}

/// Nothing of a demonstration is recorded but its case and its script.
struct Unrecorded;

impl EventSink for Unrecorded {
    fn emit(&mut self, _kind: EventKind) {}
}

impl Recorder for Unrecorded {
    fn screen(&mut self, _: &Screen, _: &crate::device::Observation, _: f64) {}
}

/// Starts an app with clean data and watches what a person does with it until `cancel` fires.
///
/// # Errors
/// The device fails, or tells of no touches any more.
pub async fn demonstrate(
    connected: &ConnectedDevice,
    (package, apk): (&PackageName, Option<&Path>),
    mut touches: UnboundedReceiver<Felt>,
    cancel: &CancellationToken,
    tell: &mut dyn FnMut(Told),
) -> Result<Demonstrated, DemonstrationError> {
    let build = apk.map(Build::over);
    let version = start(connected, package, build.as_ref(), None).await?;
    let seen = connected.eyes(SecretMask::none()).look(&mut Unrecorded).await?;
    let first = shown(&seen.screen);
    let found = Demonstrated {
        version,
        deeds: Vec::new(),
        secrets: BTreeSet::new(),
        shown: [first.clone(), Shown::default(), first],
    };
    let mut watcher = Watcher { connected, seen, found, tell };
    // What was touched before the app was there says nothing.
    while touches.try_recv().is_ok() {}
    (watcher.tell)(Told::Ready(watcher.seen.screen.title.clone()));
    loop {
        let device = connected.device.as_ref();
        tokio::select! {
            biased;
            () = cancel.cancelled() => break,
            felt = touches.recv() => {
                let felt = felt.ok_or(DemonstrationError::Deaf)?;
                watcher.touched(&felt).await?;
                if !touches.is_empty() {
                    (watcher.tell)(Told::Left("a touch came before its screen was read: wait for the screen's name before each touch".to_owned()));
                    while touches.try_recv().is_ok() {}
                    watcher.look().await?;
                }
                (watcher.tell)(Told::Ready(watcher.seen.screen.title.clone()));
            }
            changed = device.wait_for_change(&watcher.seen.hierarchy, IDLE) => {
                if !changed? {
                    continue;
                }
                // The touch that made the change may be told later than the change is seen: it belongs to the screen before.
                match timeout(LATE, touches.recv()).await {
                    Ok(Some(felt)) => {
                        watcher.touched(&felt).await?;
                        (watcher.tell)(Told::Ready(watcher.seen.screen.title.clone()));
                    }
                    Ok(None) => return Err(DemonstrationError::Deaf),
                    Err(_) => watcher.look().await?,
                }
            }
        }
    }
    // What was typed last may not have been seen yet.
    watcher.look().await?;
    watcher.found.shown[2] = shown(&watcher.seen.screen);
    Ok(watcher.found)
}

impl Watcher<'_> {
    async fn touched(&mut self, felt: &Felt) -> Result<(), DemonstrationError> {
        let understood = match felt {
            Felt::Back => Meaning::Deed { action: Action::PressBack, sentence: "Go back".to_owned() },
            Felt::OtherKey => Meaning::Refused("a key that leaves the app is no step".to_owned()),
            Felt::Stroke(stroke) => meaning(stroke, &self.seen.screen),
        };
        let before = self.seen.clone();
        // Looked at first: what was typed since the last look comes before this touch.
        match understood {
            Meaning::Deed { action, sentence } => {
                self.look().await?;
                let typed = self.found.deeds.last().is_some_and(|last| matches!(last.action, Action::InputText { .. }));
                let idle = self.seen.screen.digest == before.screen.digest && !self.seen.differs_in_picture(&before);
                if idle && !typed {
                    (self.tell)(Told::Left(format!("{sentence}: nothing came of it")));
                    return Ok(());
                }
                self.add(action, sentence, &before.screen, 0);
                self.found.shown[1] = shown(&before.screen);
            }
            Meaning::Field | Meaning::Nothing => self.look().await?,
            Meaning::Refused(why) => {
                (self.tell)(Told::Left(why));
                self.look().await?;
            }
        }
        Ok(())
    }

    /// Looks at the screen; fields that hold something else than before were typed into.
    async fn look(&mut self) -> Result<(), DemonstrationError> {
        let now = self.connected.eyes(SecretMask::none()).look(&mut Unrecorded).await?;
        let before = std::mem::replace(&mut self.seen, now);
        let typed: Vec<(Widget, usize)> = {
            let fields = |screen: &Screen| -> Vec<Widget> {
                screen.widgets.iter().filter(|widget| widget.role == Role::Field).cloned().collect()
            };
            let known = fields(&before.screen);
            fields(&self.seen.screen)
                .into_iter()
                .filter_map(|field| {
                    let was = known.iter().find(|was| was.selector == field.selector)?;
                    let typed = was.value != field.value && !field.value.is_empty();
                    typed.then(|| (field, was.value.chars().count()))
                })
                .collect()
        };
        for (field, held) in typed {
            self.typed(&field, held, &before.screen);
        }
        Ok(())
    }

    /// A field holds another text than before. Several looks while somebody types are one step.
    fn typed(&mut self, field: &Widget, held: usize, before: &Screen) {
        let target = field.target();
        let named = name(field, before);
        let (text, shown) = if field.state.password {
            let secret = secret_name(field);
            self.found.secrets.insert(secret.clone());
            // Its value cannot be seen; whoever runs the case gives it.
            (InputText::Secret { name: secret.clone(), value: Secret::new(String::new()) }, format!("${{{secret}}}"))
        } else {
            (InputText::Plain(field.value.clone()), format!("\"{}\"", field.value.replace('"', "'")))
        };
        let sentence = format!("Enter {shown} into {named}");
        let action = Action::InputText { target, text };
        let same = self.found.deeds.last_mut().filter(|last| {
            matches!((&last.action, &action), (Action::InputText { target: one, .. }, Action::InputText { target: other, .. }) if one.selector == other.selector)
        });
        if let Some(last) = same {
            last.action = action;
            last.instruction.clone_from(&sentence);
            last.after = self.seen.screen.fingerprint;
            (self.tell)(Told::Step(last.step, sentence));
            return;
        }
        self.add(action, sentence, before, held);
    }

    fn add(&mut self, action: Action, sentence: String, before: &Screen, held: usize) {
        let step = self.found.deeds.len() + 1;
        (self.tell)(Told::Step(step, sentence.clone()));
        self.found.deeds.push(ActionTrace {
            step,
            instruction: sentence,
            action,
            held,
            before: before.fingerprint,
            screen: before.title.clone(),
            after: self.seen.screen.fingerprint,
            actor: None,
            waited: Duration::ZERO,
            pause: Duration::ZERO,
            checks: Vec::new(),
        });
    }
}

/// A name for what is typed into a password field.
fn secret_name(field: &Widget) -> String {
    let label = field.shown_label().to_lowercase();
    let words: Vec<&str> =
        label.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).take(3).collect();
    let begins_well = words.first().is_some_and(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()));
    if begins_well { words.join("_") } else { "password".to_owned() }
}

fn shown(screen: &Screen) -> Shown {
    let private = |widget: &Widget| matches!(widget.role, Role::Field | Role::KeypadKey);
    let labels = screen.widgets.iter().filter(|widget| !private(widget));
    let inner = screen
        .inner_texts()
        .filter(|text| !text.widget.and_then(|id| screen.widgets.get(id)).is_some_and(private))
        .map(|text| (text.node, text.on_display().to_owned()));
    let mut texts: Vec<(usize, String)> =
        labels.map(|widget| (widget.node, widget.shown_label().to_owned())).chain(inner).collect();
    texts.sort_by_key(|(node, _)| *node);
    Shown { title: screen.title.clone(), texts: texts.into_iter().map(|(_, text)| text).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Size;
    use crate::hierarchy::ScreenInput;

    #[test]
    fn a_text_inside_a_described_card_is_shown_and_what_a_field_holds_is_not() {
        let dump = "<hierarchy rotation=\"0\"><node class=\"android.widget.FrameLayout\" package=\"a.b\" enabled=\"true\" \
                    bounds=\"[0,0][1080,2400]\"><node class=\"android.view.ViewGroup\" package=\"a.b\" enabled=\"true\" \
                    content-desc=\"Course, opens\" clickable=\"true\" bounds=\"[0,100][1080,400]\"><node \
                    class=\"android.widget.TextView\" package=\"a.b\" enabled=\"true\" text=\"Room 204\" \
                    bounds=\"[40,120][600,180]\"/></node><node class=\"android.widget.TextView\" package=\"a.b\" \
                    enabled=\"true\" text=\"Below\" bounds=\"[0,500][600,560]\"/><node class=\"android.widget.EditText\" \
                    package=\"a.b\" enabled=\"true\" text=\"Ada\" content-desc=\"Your name\" clickable=\"true\" \
                    bounds=\"[0,700][600,800]\"/></node></hierarchy>";
        let screen = Screen::perceive(ScreenInput {
            hierarchy: dump.as_bytes(),
            screenshot: None,
            display: Size::new(1080, 2400),
            foreground: None,
            keyboard_shown: false,
        });
        assert_eq!(shown(&screen).texts, ["Course, opens", "Room 204", "Below"]);
    }
}

//! `tapwright widgets`.

use super::{interruption, print_json};
use crate::app::Workspace;
use crate::cli::{Exit, Failure, WidgetsArgs, WidgetsFormat, table};
use crate::domain::{Screenshot, SecretMask, Size};
use crate::hierarchy::{Diagnostic, MASK, Role, Screen, ScreenInput, ScreenText, TextSource, Widget};
use crate::run::{ConnectedDevice, DeviceConnector};
use crate::vision;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// How long a change is waited for before the screen is looked at all the same: what only the picture shows is in no dump.
const BREATH: Duration = Duration::from_secs(2);

#[derive(Serialize)]
struct ScreenData<'a> {
    title: &'a str,
    kind: String,
    fingerprint: String,
    picture_hash: Option<String>,
    /// Error texts of fields, by widget id.
    field_errors: BTreeMap<usize, &'a str>,
    foreground: Option<&'a str>,
    keyboard_shown: bool,
    display: Size,
    widgets: &'a [Widget],
    /// Every text in sight, with the id of the widget it belongs to.
    texts: &'a [ScreenText],
    /// Texts of the dump that lie under something else: left out.
    covered: &'a [ScreenText],
    diagnostics: &'a [Diagnostic],
}

/// Shows what Tapwright sees.
pub(super) async fn widgets(args: WidgetsArgs, workspace: &Workspace) -> Result<Exit, Failure> {
    if args.watch {
        return watch(&args, workspace).await;
    }
    let mut screen = match (&args.hierarchy, &args.screenshot) {
        (None, None) => from_device(args.device.as_deref(), workspace).await?,
        (Some(dump), picture) => from_files(dump, picture.as_deref(), workspace)?,
        (None, Some(picture)) => from_picture(picture, workspace)?,
    };
    hide_passwords(&mut screen);
    print(&screen, &args)?;
    if let Some(path) = &args.annotate {
        annotate(&screen, path)?;
    }
    if args.hierarchy.is_some() && screen.tree.nodes.is_empty() {
        return Err(Failure::usage("the file holds no UI hierarchy: give one that `uiautomator dump` wrote"));
    }
    Ok(Exit::Passed)
}

fn print(screen: &Screen, args: &WidgetsArgs) -> Result<(), Failure> {
    match if args.json { WidgetsFormat::Json } else { args.format } {
        WidgetsFormat::Json => {
            let data = ScreenData {
                title: &screen.title,
                kind: screen.kind.to_string(),
                fingerprint: screen.fingerprint.to_string(),
                picture_hash: screen.picture_hash().map(|hash| format!("{hash:016x}")),
                field_errors: screen
                    .widgets
                    .iter()
                    .filter(|widget| widget.role == Role::Field)
                    .filter_map(|field| Some((field.id, screen.field_error(field)?)))
                    .collect(),
                foreground: screen.foreground.as_deref(),
                keyboard_shown: screen.keyboard_shown,
                display: screen.display,
                widgets: &screen.widgets,
                texts: &screen.texts.shown,
                covered: &screen.texts.covered,
                diagnostics: &screen.tree.diagnostics,
            };
            if args.watch {
                // One line each, so that a reader knows where a screen ends.
                anstream::println!("{}", serde_json::to_string(&data).map_err(Failure::infrastructure)?);
            } else {
                print_json(&data)?;
            }
        }
        WidgetsFormat::Xuat => anstream::print!("{}", screen.xuat()),
        WidgetsFormat::Table => print_table(screen),
    }
    for diagnostic in &screen.tree.diagnostics {
        anstream::eprintln!("note: {}", diagnostic.message);
    }
    match screen.texts.covered.len() {
        0 => {}
        1 => anstream::eprintln!(
            "note: one text of the dump lies under something else and is left out (--json tells it)"
        ),
        covered => anstream::eprintln!(
            "note: {covered} texts of the dump lie under something else and are left out (--json tells them)"
        ),
    }
    Ok(())
}

/// Shows what Tapwright sees whenever it is something else, until the user ends it.
async fn watch(args: &WidgetsArgs, workspace: &Workspace) -> Result<Exit, Failure> {
    let connected = connect(args.device.as_deref(), workspace).await?;
    let ended = interruption();
    anstream::eprintln!("watching {}; Ctrl-C ends it", connected.info.serial);
    tokio::select! {
        () = ended.cancelled() => Ok(Exit::Passed),
        failed = follow(&connected, args) => failed,
    }
}

/// Prints each screen that a device shows, as long as it can be looked at.
async fn follow(connected: &ConnectedDevice, args: &WidgetsArgs) -> Result<Exit, Failure> {
    let mut shown = None;
    loop {
        let (mut screen, hierarchy) = look(connected).await?;
        if shown != Some(screen.digest) {
            shown = Some(screen.digest);
            hide_passwords(&mut screen);
            print(&screen, args)?;
        }
        let changed = connected.device.wait_for_change(&hierarchy, BREATH).await;
        changed.map_err(Failure::infrastructure)?;
    }
}

fn print_table(screen: &Screen) {
    anstream::eprintln!(
        "\"{}\"  {}  {}  {} widgets",
        screen.title,
        screen.kind,
        screen.fingerprint,
        screen.widgets.len()
    );
    let inner: Vec<&ScreenText> = screen.inner_texts().collect();
    let mut rows = vec![["#", "ROLE", "LABEL", "VALUE", "STATE", "BOUNDS", "ID"].map(str::to_owned).to_vec()];
    rows.extend(screen.widgets.iter().flat_map(|widget| {
        let label = if widget.context.is_empty() {
            widget.label.clone()
        } else {
            format!("{} · {}", widget.label, widget.context)
        };
        let value = if widget.value == widget.label { String::new() } else { widget.value.clone() };
        let row = vec![
            widget.id.to_string(),
            widget.role.to_string(),
            shorten(&label, 48),
            shorten(&value, 24),
            state(widget, screen),
            widget.bounds.to_string(),
            widget.resource_id.clone(),
        ];
        let of_it = inner.iter().filter(|text| text.widget == Some(widget.id));
        std::iter::once(row).chain(of_it.map(|text| text_row(text))).collect::<Vec<_>>()
    }));
    rows.extend(inner.iter().filter(|text| text.widget.is_none()).map(|text| text_row(text)));
    table::print_fitting(&rows);
}

/// A text that no label holds, below the widget it belongs to.
fn text_row(text: &ScreenText) -> Vec<String> {
    let label = format!("  {}", shorten(text.on_display(), 46));
    let nothing = String::new;
    vec![nothing(), "text".to_owned(), label, nothing(), nothing(), text.bounds.to_string(), nothing()]
}

fn state(widget: &Widget, screen: &Screen) -> String {
    let mut states = Vec::new();
    let error = (widget.role == Role::Field).then(|| screen.field_error(widget)).flatten();
    let error = error.map(|error| format!("error: {}", shorten(error, 32)));
    states.extend(error.as_deref());
    if !widget.state.enabled {
        states.push("disabled");
    }
    match widget.state.checked {
        Some(true) => states.push("on"),
        Some(false) => states.push("off"),
        None => {}
    }
    if widget.state.selected {
        states.push("selected");
    }
    if widget.state.focused {
        states.push("focused");
    }
    if widget.scrollable {
        states.push("scrolls");
    }
    states.join(" ")
}

fn shorten(text: &str, most: usize) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() <= most {
        return text;
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

async fn connect(device: Option<&str>, workspace: &Workspace) -> Result<ConnectedDevice, Failure> {
    let serial = workspace.choose_device(device).await?;
    let connector = workspace.connector().map_err(Failure::usage)?;
    connector.connect(&serial).await.map_err(Failure::infrastructure)
}

pub(super) async fn from_device(device: Option<&str>, workspace: &Workspace) -> Result<Screen, Failure> {
    let connected = connect(device, workspace).await?;
    Ok(look(&connected).await?.0)
}

/// What a device shows, with the dump it was read from.
async fn look(connected: &ConnectedDevice) -> Result<(Screen, Vec<u8>), Failure> {
    let observation = connected.device.observe().await.map_err(Failure::infrastructure)?;
    for note in &observation.notes {
        anstream::eprintln!("note: {note}");
    }
    let mut screen = Screen::perceive(ScreenInput {
        hierarchy: &observation.hierarchy,
        screenshot: observation.screenshot,
        display: connected.info.display,
        foreground: observation.foreground.map(|component| component.to_string()),
        keyboard_shown: observation.keyboard_shown,
    });
    vision::find_links(&mut screen, &connected.link_colours, connected.reader.as_deref());
    vision::read_mute_screen(&mut screen, connected.reader.as_deref(), SecretMask::none());
    Ok((screen, observation.hierarchy))
}

/// What a password field holds is nobody's business, also where an app gives it away in clear.
fn hide_passwords(screen: &mut Screen) {
    let hidden = |text: &str| MASK.to_string().repeat(text.chars().count());
    for node in screen.tree.nodes.iter_mut().filter(|node| node.password) {
        node.text = hidden(&node.text);
    }
    for widget in screen.widgets.iter_mut().filter(|widget| widget.state.password) {
        widget.value = hidden(&widget.value);
    }
    let texts = screen.texts.shown.iter_mut().chain(&mut screen.texts.covered);
    let private = |text: &&mut ScreenText| {
        text.source == TextSource::Text && screen.tree.nodes.get(text.node).is_some_and(|node| node.password)
    };
    for text in texts.filter(private) {
        text.text = hidden(&text.text);
        text.shown = text.shown.as_deref().map(hidden);
    }
}

fn png(path: &Path) -> Result<Screenshot, Failure> {
    let bytes = std::fs::read(path).map_err(|error| Failure::unreadable(path, &error))?;
    vision::decode_png(&bytes).map_err(|error| Failure::usage(format!("{}: {error}", path.display())))
}

/// A picture alone: its texts are all there is.
fn from_picture(picture: &Path, workspace: &Workspace) -> Result<Screen, Failure> {
    let picture = png(picture)?;
    let reader = workspace.reader();
    reader.models().map_err(|reason| {
        Failure::infrastructure(format!("{reason}; without a dump the picture's texts are all there is to see"))
    })?;
    let mut screen = Screen::perceive(ScreenInput {
        hierarchy: &[],
        display: picture.size(),
        screenshot: Some(picture),
        foreground: None,
        keyboard_shown: false,
    });
    // That there is no dump was wanted.
    screen.tree.diagnostics.clear();
    vision::read_mute_screen(&mut screen, Some(&reader), SecretMask::none());
    Ok(screen)
}

pub(super) fn from_files(
    hierarchy: &Path,
    screenshot: Option<&Path>,
    workspace: &Workspace,
) -> Result<Screen, Failure> {
    let bytes = std::fs::read(hierarchy).map_err(|error| Failure::unreadable(hierarchy, &error))?;
    let picture = screenshot.map(png).transpose()?;
    // Without a picture the dump's own reach is the display.
    let display = picture.as_ref().map_or(Size::new(0, 0), Screenshot::size);
    let mut screen = Screen::perceive(ScreenInput {
        hierarchy: &bytes,
        screenshot: picture,
        display,
        foreground: None,
        keyboard_shown: false,
    });
    if screen.tree.nodes.is_empty() {
        let why = screen.tree.diagnostics.first().map_or("it has no node", |diagnostic| diagnostic.message.as_str());
        return Err(Failure::usage(format!(
            "{}: no hierarchy is in it ({why}); expected what `uiautomator dump` writes",
            hierarchy.display()
        )));
    }
    let profiles = workspace.profiles().map_err(Failure::usage)?;
    let colours: Vec<[u8; 3]> = profiles
        .iter()
        .next()
        .map(|profile| profile.link_colours.iter().map(|colour| colour.0).collect())
        .unwrap_or_default();
    let reader = workspace.reader();
    vision::find_links(&mut screen, &colours, Some(&reader));
    vision::read_mute_screen(&mut screen, Some(&reader), SecretMask::none());
    Ok(screen)
}

fn annotate(screen: &Screen, path: &Path) -> Result<(), Failure> {
    let picture = vision::annotate(screen)
        .ok_or_else(|| Failure::usage("there is no screenshot to annotate: give --screenshot PNG"))?;
    let png = vision::encode_png(&picture).map_err(Failure::infrastructure)?;
    std::fs::write(path, png).map_err(|error| {
        Failure::usage(format!(
            "cannot write {}: {error}; check that its folder exists and may be written",
            path.display()
        ))
    })?;
    anstream::eprintln!("wrote {}", path.display());
    Ok(())
}

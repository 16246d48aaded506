//! Arguments of `am start` (`Intent.parseCommandArgs`).

use crate::system::{ApiLevel, Wanted, full_class, short_component};

/// An intent as `am` reads it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Intent<'a> {
    pub(super) action: Option<&'a str>,
    pub(super) categories: Vec<&'a str>,
    pub(super) data: Option<&'a str>,
    pub(super) package: Option<&'a str>,
    pub(super) component: Option<(&'a str, &'a str)>,
    /// MIME type.
    pub(super) mime: Option<&'a str>,
    pub(super) flags: u32,
    pub(super) extras: bool,
    /// `android.intent.extra.TEXT`.
    pub(super) text: Option<&'a str>,
}

/// What `am start` is to do besides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct StartOptions {
    /// `-W`.
    pub(super) wait: bool,
    /// `-S`.
    pub(super) stop_first: bool,
}

/// Reads the arguments; the error is Java's exception as printed.
pub(super) fn parse<'a>(arguments: &[&'a str]) -> Result<(Intent<'a>, StartOptions), String> {
    let mut intent = Intent::default();
    let mut options = StartOptions::default();
    let mut words = arguments.iter().copied();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| super::argument_expected(word));
        match word {
            "-W" => options.wait = true,
            "-S" => options.stop_first = true,
            "-D" | "-N" | "--streaming" | "--allow-background-activity-starts" => {}
            "-a" => intent.action = Some(value()?),
            "-c" => intent.categories.push(value()?),
            "-d" => intent.data = Some(value()?),
            "-p" => intent.package = Some(value()?),
            "-n" => {
                let name = value()?;
                intent.component = Some(
                    name.split_once('/')
                        .ok_or_else(|| format!("java.lang.IllegalArgumentException: Bad component name: {name}"))?,
                );
            }
            "-t" => intent.mime = Some(value()?),
            "-f" => {
                let word = value()?;
                intent.flags |= number(word)
                    .ok_or_else(|| format!("java.lang.NumberFormatException: For input string: \"{word}\""))?;
            }
            "-i" | "--user" | "--display" | "--windowingMode" | "-R" | "-P" => {
                value()?;
            }
            "--esn" => {
                value()?;
                intent.extras = true;
            }
            "-e" | "--es" => {
                let (name, text) = (value()?, value()?);
                if name == "android.intent.extra.TEXT" {
                    intent.text = Some(text);
                }
                intent.extras = true;
            }
            "--ez" | "--ei" | "--el" | "--ef" | "--eu" | "--ecn" | "--eia" | "--esa" => {
                value()?;
                value()?;
                intent.extras = true;
            }
            _ if word.starts_with('-') => {
                let unknown = || format!("java.lang.IllegalArgumentException: Unknown option: {word}");
                intent.flags |= flag(word).ok_or_else(unknown)?;
            }
            _ => intent.take_bare(word),
        }
    }
    Ok((intent, options))
}

/// The flag that an option without a value sets.
fn flag(option: &str) -> Option<u32> {
    Some(match option {
        "--grant-read-uri-permission" => 0x1,
        "--grant-write-uri-permission" => 0x2,
        "--include-stopped-packages" => 0x20,
        "--activity-brought-to-front" => 0x40_0000,
        "--activity-clear-top" => 0x0400_0000,
        "--activity-clear-task" => 0x8000,
        "--activity-exclude-from-recents" => 0x80_0000,
        "--activity-no-animation" => 0x1_0000,
        "--activity-no-history" => 0x4000_0000,
        "--activity-reorder-to-front" => 0x2_0000,
        "--activity-reset-task-if-needed" => 0x20_0000,
        "--activity-single-top" => 0x2000_0000,
        _ => return None,
    })
}

impl<'a> Intent<'a> {
    /// A bare word is a URI, a component or a package.
    fn take_bare(&mut self, word: &'a str) {
        if word.contains(':') {
            self.data = Some(word);
            self.action.get_or_insert("android.intent.action.VIEW");
            return;
        }
        match word.split_once('/') {
            Some(component) => self.component = Some(component),
            None => self.package = Some(word),
        }
        self.action.get_or_insert("android.intent.action.MAIN");
        if self.categories.is_empty() {
            self.categories.push("android.intent.category.LAUNCHER");
        }
    }

    /// What it asks the system for.
    pub(super) fn wanted<'b>(&'b self) -> Wanted<'b>
    where
        'a: 'b,
    {
        Wanted {
            action: self.action,
            categories: &self.categories,
            data: self.data,
            package: self.package,
            component: self.component,
            text: self.text,
        }
    }

    /// As `am` prints it.
    pub(super) const fn shown(&self, api: ApiLevel) -> Shown<'_, 'a> {
        Shown { intent: self, api, flags: self.flags }
    }

    /// As the system prints what it was given: `am` adds `FLAG_ACTIVITY_NEW_TASK`.
    pub(super) const fn as_started(&self, api: ApiLevel) -> Shown<'_, 'a> {
        Shown { intent: self, api, flags: self.flags | 0x1000_0000 }
    }
}

/// `Integer.decode`.
fn number(word: &str) -> Option<u32> {
    match word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => word.parse().ok(),
    }
}

/// `Uri.toSafeString`: since Android 11 only scheme, host and port; before, other schemes than the web's in full.
fn safe_uri(uri: &str, api: ApiLevel) -> String {
    let (scheme, rest) = uri.split_once(':').unwrap_or((uri, ""));
    if matches!(scheme, "tel" | "sip" | "sms" | "smsto" | "mailto" | "nfc") {
        let hidden: String = rest.chars().map(|c| if matches!(c, '-' | '@' | '.') { c } else { 'x' }).collect();
        return format!("{scheme}:{hidden}");
    }
    if !api.since(30) && !matches!(scheme, "http" | "https" | "ftp" | "rtsp") {
        return uri.to_owned();
    }
    match rest.strip_prefix("//") {
        Some(rest) => {
            let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
            let host = authority.rsplit('@').next().unwrap_or_default();
            format!("{scheme}://{host}/...")
        }
        None if rest.starts_with('/') => format!("{scheme}:/..."),
        None => format!("{scheme}:"),
    }
}

/// `Intent.toString()`.
pub(super) struct Shown<'i, 'a> {
    intent: &'i Intent<'a>,
    api: ApiLevel,
    flags: u32,
}

impl std::fmt::Display for Shown<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Intent { action, categories, data, package, component, mime, extras, .. } = self.intent;
        f.write_str("Intent {")?;
        // `am` fills in MAIN only when the intent says nothing at all about what to do.
        if let Some(action) = action {
            write!(f, " act={action}")?;
        }
        if !categories.is_empty() {
            write!(f, " cat=[{}]", categories.join(","))?;
        }
        if let Some(data) = data {
            write!(f, " dat={}", safe_uri(data, self.api))?;
        }
        if let Some(mime) = mime {
            write!(f, " typ={mime}")?;
        }
        if self.flags != 0 {
            write!(f, " flg=0x{:x}", self.flags)?;
        }
        if let Some(package) = package {
            write!(f, " pkg={package}")?;
        }
        if let Some((package, class)) = component {
            write!(f, " cmp={}", short_component(package, &full_class(package, class)))?;
        }
        if *extras {
            f.write_str(" (has extras)")?;
        }
        f.write_str(" }")
    }
}

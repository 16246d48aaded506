//! Arguments of `am start` (`Intent.parseCommandArgs`).

/// An intent as `am` reads it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Intent<'a> {
    pub(super) action: Option<&'a str>,
    pub(super) categories: Vec<&'a str>,
    pub(super) data: Option<&'a str>,
    pub(super) package: Option<&'a str>,
    pub(super) component: Option<(&'a str, &'a str)>,
    pub(super) extras: bool,
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
            "-D"
            | "-N"
            | "--streaming"
            | "--activity-clear-top"
            | "--activity-new-task"
            | "--activity-clear-task"
            | "--activity-single-top"
            | "--activity-no-animation" => {}
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
            "-t" | "-f" | "-i" | "--user" | "--display" | "--windowingMode" | "-R" | "-P" => {
                value()?;
            }
            "--esn" => {
                value()?;
                intent.extras = true;
            }
            "-e" | "--es" | "--ez" | "--ei" | "--el" | "--ef" | "--eu" | "--ecn" | "--eia" | "--esa" => {
                value()?;
                value()?;
                intent.extras = true;
            }
            _ if word.starts_with('-') => {
                return Err(format!("java.lang.IllegalArgumentException: Unknown option: {word}"));
            }
            // A bare word is a URI, a component or a package.
            _ if word.contains(':') => intent.data = Some(word),
            _ => match word.split_once('/') {
                Some(component) => intent.component = Some(component),
                None => {
                    intent.package = Some(word);
                    intent.action.get_or_insert("android.intent.action.MAIN");
                    if intent.categories.is_empty() {
                        intent.categories.push("android.intent.category.LAUNCHER");
                    }
                }
            },
        }
    }
    Ok((intent, options))
}

impl std::fmt::Display for Intent<'_> {
    /// `Intent.toString()`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Intent {")?;
        // `am` fills in MAIN only when the intent says nothing at all about what to do.
        if let Some(action) = self.action {
            write!(f, " act={action}")?;
        }
        if !self.categories.is_empty() {
            write!(f, " cat=[{}]", self.categories.join(","))?;
        }
        if let Some(data) = self.data {
            // toSafeString hides what follows the authority.
            let scheme = data.split(':').next().unwrap_or_default();
            write!(
                f,
                " dat={}",
                if data.contains("://") { format!("{scheme}://...") } else { format!("{scheme}:...") }
            )?;
        }
        if let Some(package) = self.package {
            write!(f, " pkg={package}")?;
        }
        if let Some((package, class)) = self.component {
            let full = crate::virtual_device::system::full_class(package, class);
            write!(f, " cmp={}", crate::virtual_device::system::short_component(package, &full))?;
        }
        if self.extras {
            f.write_str(" (has extras)")?;
        }
        f.write_str(" }")
    }
}

//! `tapwright apps`: what is in an app's file.

use super::{plural, print_json};
use crate::cli::args::{AppStringsArgs, AppsCommand};
use crate::cli::{Exit, Failure, table};
use crate::strings::{Bridge, Locale, Shown, StringTable, check_archive};
use crate::virtual_device::app_strings;
use serde::Serialize;

/// Looks into an app's file.
pub(super) fn apps(command: &AppsCommand) -> Result<Exit, Failure> {
    match command {
        AppsCommand::Strings(args) => strings(args),
    }
}

/// One text of an app.
#[derive(Serialize)]
struct TextRow<'t> {
    #[serde(rename = "resource")]
    name: &'t str,
    /// `one`, `few`, `other` of a plural, the position in an array.
    #[serde(skip_serializing_if = "str::is_empty")]
    form: &'t str,
    locale: String,
    #[serde(rename = "text")]
    wording: &'t str,
}

/// A shown text and what the app calls it.
#[derive(Serialize)]
struct Read<'t> {
    shown: &'t str,
    /// What it is read as; nothing where it stays what it is.
    #[serde(rename = "read", skip_serializing_if = "Option::is_none")]
    meaning: Option<String>,
    resources: Vec<String>,
}

fn strings(args: &AppStringsArgs) -> Result<Exit, Failure> {
    let file = args.file.display();
    let bytes = std::fs::read(&args.file).map_err(|error| Failure::usage(format!("cannot read {file}: {error}")))?;
    check_archive(&args.file, &bytes).map_err(|reason| Failure::usage(format!("{file}: {reason}")))?;
    let texts = app_strings(&bytes).map_err(|reason| Failure::usage(format!("{file}: {reason}")))?;
    if texts.is_cut() {
        anstream::eprintln!("{file} holds more or longer texts than are read: some are missing here");
    }
    match &args.locale {
        None => all(&texts, args),
        Some(locale) => bridged(&texts, &Locale::parse(locale), args),
    }
}

fn all(texts: &StringTable, args: &AppStringsArgs) -> Result<Exit, Failure> {
    let rows: Vec<TextRow<'_>> = texts
        .rows()
        .map(|(name, form, locale, wording)| TextRow { name, form, locale: locale.to_string(), wording })
        .collect();
    if args.json {
        print_json(&rows)?;
        return Ok(Exit::Passed);
    }
    let mut out = vec![["RESOURCE", "FORM", "LOCALE", "TEXT"].map(str::to_owned).to_vec()];
    out.extend(rows.iter().map(|row| [row.name, row.form, &row.locale, row.wording].map(str::to_owned).to_vec()));
    table::print_fitting(&out);
    let locales = texts.locales();
    let spoken: Vec<String> = locales.iter().map(ToString::to_string).collect();
    anstream::eprintln!(
        "{} in {}: {}; screens are read in {}",
        plural(texts.len(), "resource"),
        plural(locales.len(), "language"),
        spoken.join(", "),
        texts.goal()
    );
    Ok(Exit::Passed)
}

fn bridged(texts: &StringTable, locale: &Locale, args: &AppStringsArgs) -> Result<Exit, Failure> {
    let Some(bridge) = Bridge::new(texts, locale) else {
        let spoken: Vec<String> = texts.locales().iter().map(ToString::to_string).collect();
        let known = if spoken.is_empty() { "no texts".to_owned() } else { format!("texts in {}", spoken.join(", ")) };
        anstream::eprintln!(
            "a device in {locale} shows nothing that could be read in another language: the file has {known}"
        );
        if args.json {
            print_json(&Vec::<Read<'_>>::new())?;
        }
        return Ok(Exit::Passed);
    };
    let near = |(_, _, own, text): (_, _, &Locale, _)| own.distance(locale).is_some().then_some(text);
    let shown: Vec<&str> = if args.texts.is_empty() {
        texts.rows().filter_map(near).collect()
    } else {
        args.texts.iter().map(String::as_str).collect()
    };
    // Each by itself: which of two alike is meant, only a screen can tell.
    let read = |shown: &&'_ str| {
        let read = bridge.read(&[Shown { text: shown, id: "" }]).into_iter().flatten().next();
        (read.as_ref().map(|read| read.text.clone()), read.map(|read| read.resources).unwrap_or_default())
    };
    let rows: Vec<Read<'_>> = shown
        .iter()
        .map(|text| {
            let (own, resources) = read(text);
            Read { shown: text, meaning: own, resources }
        })
        .collect();
    if args.json {
        print_json(&rows)?;
        return Ok(Exit::Passed);
    }
    let mut out = vec![["SHOWN", "READ AS", "RESOURCE"].map(str::to_owned).to_vec()];
    out.extend(rows.iter().map(|row| {
        vec![row.shown.to_owned(), row.meaning.clone().unwrap_or_else(|| "(as it is)".into()), row.resources.join(", ")]
    }));
    table::print_fitting(&out);
    anstream::eprintln!("{} lead from {} to {}", plural(bridge.len(), "text"), bridge.from(), bridge.to());
    Ok(Exit::Passed)
}

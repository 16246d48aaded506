//! Dates and times: `today()`, `date(iso, "MM/DD/YY")`, `add_days(iso, 3)`, `valid_date(text, "MM/DD/YY")`.

use super::device::language;
use super::world::{Failure, World};
use jiff::Span;
use jiff::civil::{Date, DateTime};
use rhai::{FuncRegistration, Module, NativeCallContext};

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const WEEKDAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// Names of months and weekdays, full; from the Unicode CLDR (stand-alone forms).
const NAMES: [(&str, [&str; 12], [&str; 7]); 6] = [
    (
        "es",
        [
            "enero",
            "febrero",
            "marzo",
            "abril",
            "mayo",
            "junio",
            "julio",
            "agosto",
            "septiembre",
            "octubre",
            "noviembre",
            "diciembre",
        ],
        ["lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"],
    ),
    (
        "de",
        [
            "Januar",
            "Februar",
            "März",
            "April",
            "Mai",
            "Juni",
            "Juli",
            "August",
            "September",
            "Oktober",
            "November",
            "Dezember",
        ],
        ["Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"],
    ),
    (
        "fr",
        [
            "janvier",
            "février",
            "mars",
            "avril",
            "mai",
            "juin",
            "juillet",
            "août",
            "septembre",
            "octobre",
            "novembre",
            "décembre",
        ],
        ["lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"],
    ),
    (
        "pt",
        [
            "janeiro",
            "fevereiro",
            "março",
            "abril",
            "maio",
            "junho",
            "julho",
            "agosto",
            "setembro",
            "outubro",
            "novembro",
            "dezembro",
        ],
        ["segunda-feira", "terça-feira", "quarta-feira", "quinta-feira", "sexta-feira", "sábado", "domingo"],
    ),
    (
        "ar",
        ["يناير", "فبراير", "مارس", "أبريل", "مايو", "يونيو", "يوليو", "أغسطس", "سبتمبر", "أكتوبر", "نوفمبر", "ديسمبر"],
        ["الاثنين", "الثلاثاء", "الأربعاء", "الخميس", "الجمعة", "السبت", "الأحد"],
    ),
    (
        "he",
        ["ינואר", "פברואר", "מרץ", "אפריל", "מאי", "יוני", "יולי", "אוגוסט", "ספטמבר", "אוקטובר", "נובמבר", "דצמבר"],
        ["יום שני", "יום שלישי", "יום רביעי", "יום חמישי", "יום שישי", "יום שבת", "יום ראשון"],
    ),
];

pub(super) fn register(module: &mut Module) {
    let clock = |name: &str| FuncRegistration::new(name).in_global_namespace().with_volatility(true);
    clock("now_ms").set_into_module(module, |context: NativeCallContext| {
        Ok::<_, Failure>(World::of(&context)?.clock().now.as_millis() as i64)
    });
    clock("today").set_into_module(module, |context: NativeCallContext| {
        Ok::<_, Failure>(World::of(&context)?.clock().wall.date().to_string())
    });
    clock("time").set_into_module(module, |context: NativeCallContext, pattern: &str| {
        let world = World::of(&context)?;
        let facts = world.clock();
        Ok::<_, Failure>(format(facts.wall, pattern, &facts.locale))
    });
    clock("date").set_into_module(module, |context: NativeCallContext, iso: &str, pattern: &str| {
        let locale = World::of(&context)?.facts().locale.clone();
        Ok::<_, Failure>(format(date(iso)?.at(0, 0, 0, 0), pattern, &locale))
    });
    let function = |name: &str| FuncRegistration::new(name).in_global_namespace();
    function("add_days").set_into_module(module, |iso: &str, days: i64| {
        let span = Span::new().try_days(days).map_err(|error| -> Failure { error.to_string().into() })?;
        let later = date(iso)?.checked_add(span).map_err(|error| -> Failure { error.to_string().into() })?;
        Ok::<_, Failure>(later.to_string())
    });
    function("days_between").set_into_module(module, |from: &str, to: &str| {
        let span = date(from)?.until(date(to)?).map_err(|error| -> Failure { error.to_string().into() })?;
        Ok::<_, Failure>(i64::from(span.get_days()))
    });
    function("weekday")
        .set_into_module(module, |iso: &str| Ok::<_, Failure>(i64::from(date(iso)?.weekday().to_monday_one_offset())));
    function("valid_date").set_into_module(module, |text: &str, pattern: &str| parse(text, pattern).is_some());
    function("iso_date").set_into_module(module, |text: &str, pattern: &str| {
        parse(text, pattern).map(|date| date.to_string()).unwrap_or_default()
    });
}

/// Reads `2026-03-09`.
fn date(iso: &str) -> Result<Date, Failure> {
    let day = iso.get(..10).unwrap_or(iso);
    day.parse().map_err(|_| format!("expected a date such as 2026-03-09, found {iso:?}").into())
}

/// A moment by a pattern of `YYYY YY MMMM MMM MM M DD D EEEE EEE HH H hh h mm ss a`; other characters stand for
/// themselves.
pub(in super::super) fn format(moment: DateTime, pattern: &str, locale: &str) -> String {
    let names = NAMES.iter().find(|(language_of, ..)| *language_of == language(locale));
    let (months, weekdays) = names.map_or((&MONTHS, &WEEKDAYS), |(_, months, weekdays)| (months, weekdays));
    let month = months[usize::from(moment.month().unsigned_abs() - 1).min(11)];
    let weekday = weekdays[usize::from(moment.weekday().to_monday_zero_offset().unsigned_abs()).min(6)];
    let english = names.is_none();
    let short =
        |name: &str| if english || !name.contains(' ') { name.chars().take(3).collect() } else { name.to_owned() };
    let mut out = String::new();
    let mut rest = pattern;
    while let Some(first) = rest.chars().next() {
        let run = rest.chars().take_while(|c| *c == first).count();
        let twelve = match moment.hour() % 12 {
            0 => 12,
            hour => hour,
        };
        let text = match (first, run) {
            ('Y', 4..) => format!("{:04}", moment.year()),
            ('Y', _) => format!("{:02}", moment.year() % 100),
            ('M', 4..) => month.to_owned(),
            ('M', 3) => short(month),
            ('M', 2) => format!("{:02}", moment.month()),
            ('M', _) => moment.month().to_string(),
            ('D', 2..) => format!("{:02}", moment.day()),
            ('D', _) => moment.day().to_string(),
            ('E', 4..) => weekday.to_owned(),
            ('E', _) => short(weekday),
            ('H', 2..) => format!("{:02}", moment.hour()),
            ('H', _) => moment.hour().to_string(),
            ('h', 2..) => format!("{twelve:02}"),
            ('h', _) => twelve.to_string(),
            ('m', 2) => format!("{:02}", moment.minute()),
            ('s', 2) => format!("{:02}", moment.second()),
            ('a', 1) => if moment.hour() < 12 { "AM" } else { "PM" }.to_owned(),
            (other, count) => std::iter::repeat_n(other, count).collect(),
        };
        out.push_str(&text);
        rest = &rest[first.len_utf8() * run..];
    }
    out
}

/// Reads a date by a pattern of `YYYY`, `YY`, `MM`, `M`, `DD`, `D` and separators; the doubled forms want that many
/// digits. None when it is not one (`02/30/26`).
pub(in super::super) fn parse(text: &str, pattern: &str) -> Option<Date> {
    let (mut year, mut month, mut day) = (None, None, None);
    let (mut text, mut pattern) = (text, pattern);
    while let Some(first) = pattern.chars().next() {
        let run = pattern.chars().take_while(|c| *c == first).count();
        pattern = &pattern[first.len_utf8() * run..];
        if matches!(first, 'Y' | 'M' | 'D') {
            let digits = text.chars().take_while(char::is_ascii_digit).count();
            let length = if run == 1 { digits.min(2) } else { run };
            if digits < length || length == 0 {
                return None;
            }
            let (number, tail) = text.split_at(length);
            let number: i16 = number.parse().ok()?;
            match first {
                'Y' => year = Some(if run <= 2 { 2000 + number } else { number }),
                'M' => month = Some(number),
                _ => day = Some(number),
            }
            text = tail;
        } else {
            for _ in 0..run {
                text = text.strip_prefix(first)?;
            }
        }
    }
    if !text.is_empty() {
        return None;
    }
    Date::new(year?, i8::try_from(month?).ok()?, i8::try_from(day?).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment() -> DateTime {
        DateTime::constant(2026, 3, 9, 14, 5, 7, 0)
    }

    #[test]
    fn dates_are_written_by_their_pattern() {
        let written = |pattern| format(moment(), pattern, "en-US");
        assert_eq!(written("MM/DD/YY"), "03/09/26");
        assert_eq!(written("EEE, MMM D, YYYY"), "Mon, Mar 9, 2026");
        assert_eq!(written("EEEE D MMMM"), "Monday 9 March");
        assert_eq!(written("HH:mm"), "14:05");
        assert_eq!(written("h:mm a"), "2:05 PM");
        assert_eq!(format(moment(), "EEEE D MMMM", "es-MX"), "lunes 9 marzo");
    }

    #[test]
    fn dates_are_read_by_their_pattern() {
        assert_eq!(parse("03/09/26", "MM/DD/YY"), Some(Date::constant(2026, 3, 9)));
        assert_eq!(parse("9.3.2026", "D.M.YYYY"), Some(Date::constant(2026, 3, 9)));
        for wrong in ["3/9/26", "13/09/26", "02/30/26", "03/09/2026", "03-09-26", "", "today"] {
            assert_eq!(parse(wrong, "MM/DD/YY"), None, "{wrong}");
        }
    }
}

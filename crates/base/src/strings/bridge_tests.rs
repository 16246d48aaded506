//! What is read in which language.

use super::*;
use proptest::prelude::*;

fn table() -> StringTable {
    let mut table = StringTable::new(Locale::parse("en"));
    for (name, texts) in [
        ("skip", [("en", "Skip"), ("es", "Omitir"), ("ar", "تخطي"), ("tr", "atla")].as_slice()),
        ("thanks", &[("en", "Thanks for riding"), ("es", "Gracias por viajar"), ("ar", "شكرًا لركوبك")]),
        ("choose", &[("en", "Choose {{ product }}"), ("es", "Elegir {{ product }}")]),
        ("eta", &[("en", "%1$d min to %2$s"), ("es", "A %2$s en %1$d min"), ("ar", "%2$s بعد %1$d دقائق")]),
        ("only", &[("en", "%s"), ("es", "%s")]),
        ("comfort", &[("en", "Comfort"), ("es", "Confort")]),
        ("payment", &[("en", "Payment"), ("es", "Pago")]),
        ("cash", &[("en", "Cash"), ("es", "Efectivo")]),
        ("rate_send", &[("en", "Submit"), ("es", "Enviar")]),
        ("rate_trip", &[("en", "How was your trip?"), ("es", "¿Qué tal tu viaje?")]),
        ("chat_send", &[("en", "Send message"), ("es", "Enviar")]),
        ("chat_title", &[("en", "Messages"), ("es", "Mensajes")]),
        ("total", &[("en", "Total"), ("es", "Total")]),
        ("late_es", &[("en", "Late"), ("es-MX", "Tarde")]),
    ] {
        for (locale, text) in texts {
            table.add(name, &Locale::parse(locale), text);
        }
    }
    for (locale, forms) in [
        ("en", [("one", "%d ride"), ("other", "%d rides")].as_slice()),
        ("ar", &[("one", "رحلة واحدة"), ("few", "%d رحلات"), ("other", "%d رحلة")]),
        ("ru", &[("one", "%d поездка"), ("few", "%d поездки"), ("many", "%d поездок"), ("other", "%d поездки")]),
        ("ja", &[("other", "%d 回の乗車")]),
    ] {
        for (kind, text) in forms {
            table.add_form("rides", &Locale::parse(locale), kind, text);
        }
    }
    table
}

fn read(locale: &str, texts: &[&str]) -> Vec<Option<String>> {
    let bridge = Bridge::new(&table(), &Locale::parse(locale)).unwrap();
    let shown: Vec<Shown<'_>> = texts.iter().map(|text| Shown { text, id: "" }).collect();
    bridge.read(&shown).into_iter().map(|read| read.map(|read| read.text)).collect()
}

fn one(locale: &str, text: &str) -> Option<String> {
    read(locale, &[text]).remove(0)
}

#[test]
fn a_shown_text_is_called_what_the_app_calls_it() {
    assert_eq!(one("es-MX", "OMITIR").as_deref(), Some("Skip"));
    assert_eq!(one("ar-EG", "\u{200f}تخطي").as_deref(), Some("Skip"));
    assert_eq!(one("tr-TR", "ATLA").as_deref(), Some("Skip"));
    assert_eq!(one("es-MX", "Tarde").as_deref(), Some("Late"), "a region's own texts");
    assert_eq!(one("es-ES", "Casa"), None);
    assert_eq!(one("es-ES", "Total"), None, "it reads the same");
}

#[test]
fn arguments_are_put_into_the_other_text() {
    assert_eq!(one("es-ES", "A Bellas Artes en 12 min").as_deref(), Some("12 min to Bellas Artes"));
    assert_eq!(one("ar-EG", "مطار القاهرة بعد ١٢ دقائق").as_deref(), Some("١٢ min to مطار القاهرة"));
    assert_eq!(one("es-ES", "Elegir SkiffX").as_deref(), Some("Choose SkiffX"));
    assert_eq!(one("es-ES", "Elegir Confort").as_deref(), Some("Choose Comfort"), "an argument may be a text itself");
}

#[test]
fn plural_forms_that_english_lacks_lead_to_its_ordinary_one() {
    assert_eq!(one("ar", "٣ رحلات").as_deref(), Some("٣ rides"));
    assert_eq!(one("ar", "رحلة واحدة").as_deref(), Some("1 ride"));
}

#[test]
fn a_number_decides_which_form_the_own_language_takes() {
    assert_eq!(one("ru", "1 поездка").as_deref(), Some("1 ride"));
    assert_eq!(one("ru", "21 поездка").as_deref(), Some("21 rides"), "the form for one there, not here");
    assert_eq!(one("ru", "3 поездки").as_deref(), Some("3 rides"));
    assert_eq!(one("ja", "1 回の乗車").as_deref(), Some("1 ride"), "a language with one form for all");
    assert_eq!(one("ru", "1 234 поездки").as_deref(), Some("1 234 rides"));
}

#[test]
fn a_text_put_together_is_read_part_by_part() {
    assert_eq!(one("es-ES", "Pago: Efectivo").as_deref(), Some("Payment: Cash"));
    assert_eq!(one("es-ES", "Pago *").as_deref(), Some("Payment *"));
    assert_eq!(one("es-ES", "Confort · Elegir XL\nEfectivo").as_deref(), Some("Comfort · Choose XL\nCash"));
    assert_eq!(one("es-ES", "12:30, Efectivo").as_deref(), Some("12:30, Cash"));
}

#[test]
fn of_several_resources_that_read_the_same_the_relatives_on_the_screen_decide() {
    assert_eq!(one("es-ES", "Enviar").as_deref(), Some("Send message, Submit"));
    assert_eq!(read("es-ES", &["Enviar", "¿Qué tal tu viaje?"])[0].as_deref(), Some("Submit"));
    assert_eq!(read("es-ES", &["Enviar", "Mensajes"])[0].as_deref(), Some("Send message"));
    let bridge = Bridge::new(&table(), &Locale::parse("es")).unwrap();
    let read = bridge.read(&[Shown { text: "Enviar", id: "com.example:id/chat_send_button" }]).remove(0).unwrap();
    assert_eq!((read.text.as_str(), read.resources.as_slice()), ("Send message", ["chat_send".to_owned()].as_slice()));
}

#[test]
fn there_is_no_bridge_where_the_app_shows_its_own_language() {
    for locale in ["en-US", "en", "sv-SE", ""] {
        assert!(Bridge::new(&table(), &Locale::parse(locale)).is_none(), "{locale}");
    }
    assert!(Bridge::new(&StringTable::default(), &Locale::parse("fr")).is_none());
}

#[test]
fn a_case_may_name_a_text_in_the_devices_language() {
    let bridge = Bridge::new(&table(), &Locale::parse("es")).unwrap();
    assert_eq!(bridge.named("gracias por viajar").as_deref(), Some("Thanks for riding"));
    assert_eq!(bridge.named("Enviar"), None, "it may be either");
    assert_eq!(bridge.named("Elegir XL"), None, "only whole texts");
}

#[test]
fn an_app_that_speaks_no_english_is_bridged_to_its_own_language() {
    let mut table = StringTable::new(Locale::default());
    table.add("ok", &Locale::default(), "确定");
    table.add("ok", &Locale::parse("fr"), "Valider");
    let bridge = Bridge::new(&table, &Locale::parse("fr-FR")).unwrap();
    assert_eq!(bridge.read(&[Shown { text: "VALIDER", id: "" }])[0].as_ref().unwrap().text, "确定");
    assert_eq!(bridge.to().to_string(), "default");
}

proptest! {
    #[test]
    fn no_shown_text_is_too_odd(text in any::<String>(), composed in "(Pago|Enviar|[:·,*\n -]|Elegir )*") {
        read("es", &[&text, &composed]);
    }
}

/// `cargo test --release --lib bridging_a_screen -- --ignored --nocapture`
#[test]
#[ignore = "a measurement, for a release build"]
fn bridging_a_screen_takes_little_time() {
    let mut table = StringTable::new(Locale::parse("en"));
    let words = ["viaje", "pago", "cuenta", "conductor", "tarjeta", "mensaje", "destino", "precio", "ayuda", "hora"];
    let french = Locale::parse("fr");
    for number in 0..5000 {
        let (a, b, c) = (words[number % 10], words[number / 10 % 10], words[number / 100 % 10]);
        let suffix = if number % 4 == 0 { " %1$s".to_owned() } else { format!(" {}", number / 1000) };
        table.add(&format!("n{number}"), &Locale::parse("en"), &format!("{c} {b} {a}{suffix}"));
        table.add(&format!("n{number}"), &french, &format!("{a} {b} {c}{suffix}"));
    }
    let bridge = Bridge::new(&table, &french).unwrap();
    let texts: Vec<String> = (0..60)
        .map(|at| match at % 4 {
            0 => format!("{} {} {} 12", words[at % 10], words[at / 10], words[3]),
            1 => format!("{} {} {} 4", words[at % 10], words[at / 10], words[5]),
            2 => "Ada Lovelace, 12 Rue de la Paix".to_owned(),
            _ => "42,00 €".to_owned(),
        })
        .collect();
    let shown: Vec<Shown<'_>> = texts.iter().map(|text| Shown { text, id: "com.example:id/title" }).collect();
    let begun = std::time::Instant::now();
    let rounds = 200;
    for _ in 0..rounds {
        assert!(bridge.read(&shown).iter().flatten().count() >= 15);
    }
    println!("{:.3} ms for a screen of 60 texts", begun.elapsed().as_secs_f64() * 1000.0 / f64::from(rounds));
}

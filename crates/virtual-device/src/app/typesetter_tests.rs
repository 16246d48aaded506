//! Texts in every language the product knows: glyphs, places, cursors, line breaks.

use super::*;

const FACE: Face = Face { size: 40.0, line_height: 52.0, medium: false };

/// A sentence a phone shows, in each language the product knows.
const SENTENCES: [(&str, &str); 28] = [
    ("en", "Your order arrives in 25 minutes – don’t go away!"),
    ("zh-CN", "您的订单将在25分钟后送达，请保持电话畅通。"),
    ("zh-TW", "您的訂單將在25分鐘後送達，請保持電話暢通。"),
    ("ja", "ご注文は25分後に届きます。お電話をお待ちください。"),
    ("ko", "주문하신 상품이 25분 후에 도착합니다."),
    ("es", "¿Añadir a la cesta? Su pedido llegará mañana."),
    ("pt", "A sua encomenda não chegará amanhã; ligação perdida."),
    ("fr", "Où êtes-vous ? Votre commande coûte 12,50 € – à bientôt, Œuvre."),
    ("de", "Größe wählen: Straße, Überweisung, Äpfel, „Öl“."),
    ("it", "Perché non è più disponibile? Città già scelta."),
    ("nl", "Uw bestelling is geïnd; privacyverklaring gelezen."),
    ("pl", "Zażółć gęślą jaźń – zamówienie wysłane, 45 zł."),
    ("ru", "Ваш заказ приедет через 25 минут, ёлка № 5, 300 ₽."),
    ("uk", "Ваше замовлення надійде за 25 хвилин, ґанок, їжа, 90 ₴."),
    ("tr", "Siparişiniz yarın İstanbul’a ulaşacak, ığdır, ₺25."),
    ("ar", "سيصل طلبك خلال ٢٥ دقيقة، هل تريد الإلغاء؟"),
    ("he", "ההזמנה שלך תגיע בעוד 25 דקות, ₪ 30."),
    ("fa", "سفارش شما تا ۲۵ دقیقهٔ دیگر می‌رسد؛ پیگیری کنید."),
    ("hi", "आपका ऑर्डर 25 मिनट में पहुँचेगा, ₹250। कृपया प्रतीक्षा करें।"),
    ("bn", "আপনার অর্ডার ২৫ মিনিটে পৌঁছাবে, ক্ষমা করবেন।"),
    ("id", "Pesanan Anda tiba dalam 25 menit, Rp 50.000."),
    ("vi", "Đơn hàng của bạn sẽ đến sau 25 phút, giá 50.000 ₫. Nguyễn, Thường, Ổ."),
    ("th", "คำสั่งซื้อของคุณจะมาถึงในอีก 25 นาที กรุณารอสักครู่ ฿120"),
    ("ro", "Comanda ta ajunge în 25 de minute, țară, școală, înțeles."),
    ("cs", "Příliš žluťoučký kůň úpěl ďábelské ódy, 250 Kč."),
    ("sv", "Din beställning kommer om 25 minuter, åäö ÅÄÖ."),
    ("el", "Η παραγγελία σας φτάνει σε 25 λεπτά, Ώρα, ΐ, ϋ."),
    ("hu", "Árvíztűrő tükörfúrógép: rendelése 25 percen belül érkezik."),
];

fn missing(text: &str, shaped: &Shaped) -> Vec<String> {
    let absent = shaped.glyphs.iter().filter(|glyph| glyph.image.glyph_id == 0);
    absent.map(|glyph| text[glyph.byte..glyph.end].to_owned()).collect()
}

#[test]
fn every_language_has_all_its_glyphs_in_both_weights() {
    for (locale, text) in SENTENCES {
        let typesetter = Typesetter::for_locale(locale);
        for medium in [false, true] {
            let shaped = typesetter.shape(text, Face { medium, ..FACE }, None, None);
            assert_eq!(missing(text, &shaped), [""; 0], "{locale}");
            let mut drawn = 0;
            typesetter.images(&shaped, |_, _, _| drawn += 1);
            assert!(drawn * 2 > shaped.glyphs.len(), "{locale}: {drawn} of {} glyphs have pixels", shaped.glyphs.len());
        }
    }
}

#[test]
fn every_byte_of_a_text_has_its_place_on_some_line() {
    for (locale, text) in SENTENCES {
        let typesetter = Typesetter::for_locale(locale);
        for width in [None, Some(300.0)] {
            let shaped = typesetter.shape(text, FACE, width, None);
            assert!(width.is_none() || shaped.lines.len() > 2, "{locale}: {} lines", shaped.lines.len());
            assert!(width.is_none_or(|width| shaped.width <= width), "{locale}: too wide");
            for (at, character) in text.char_indices().filter(|(_, c)| c.is_alphanumeric()) {
                let held = shaped.glyphs.iter().any(|g| (g.byte..g.end).contains(&at));
                assert!(held, "{locale}: {character:?} at {at} is nowhere");
            }
        }
    }
}

#[test]
fn a_span_covers_its_word_and_no_other() {
    for (locale, text) in SENTENCES {
        let typesetter = Typesetter::for_locale(locale);
        let shaped = typesetter.shape(text, FACE, Some(420.0), None);
        // Two neighbouring stretches share no pixel column of a line.
        let middle = text.char_indices().map(|(at, _)| at).nth(text.chars().count() / 2).expect("long enough");
        let boundary = shaped.glyphs.iter().map(|g| g.byte).filter(|byte| *byte <= middle).max().expect("glyphs");
        let mut widths = 0.0;
        for line in 0..shaped.lines.len() {
            let (first, second) = (shaped.spans(line, &(0..boundary)), shaped.spans(line, &(boundary..text.len())));
            for a in &first {
                for b in &second {
                    assert!(a.1 <= b.0 + 0.5 || b.1 <= a.0 + 0.5, "{locale}: {a:?} and {b:?}");
                }
            }
            widths += first.iter().chain(&second).map(|(from, to)| to - from).sum::<f32>();
        }
        let lines: f32 = shaped.lines.iter().map(|line| line.width).sum();
        assert!(widths <= lines + 1.0 + shaped.lines.len() as f32 * 20.0, "{locale}: {widths} of {lines}");
        assert!(widths >= lines * 0.9, "{locale}: {widths} of {lines}");
    }
}

#[test]
fn a_cursor_is_found_where_it_is_drawn() {
    for (locale, text) in SENTENCES {
        let shaped = Typesetter::for_locale(locale).shape(text, FACE, None, Some(1));
        for (at, _) in text.char_indices() {
            let x = shaped.cursor(at, text);
            assert!((0.0..=shaped.width + 1.0).contains(&x), "{locale}: {x}");
            let found = shaped.byte_at(x, text);
            assert!((shaped.cursor(found, text) - x).abs() < 0.01, "{locale}: {at} came back as {found}");
        }
    }
    let arabic = Typesetter::for_locale("ar").shape("مرحبا", FACE, None, Some(1));
    assert!(arabic.cursor(0, "مرحبا") > arabic.cursor("مرحبا".len(), "مرحبا"), "right to left");
    assert!((arabic.cursor(0, "مرحبا") - arabic.width).abs() < 1.0);
}

#[test]
fn arabic_letters_join_and_numbers_in_hebrew_stay_left_to_right() {
    let arabic = Typesetter::for_locale("ar");
    let (joined, alone) = (arabic.shape("ببب", FACE, None, None), arabic.shape("ب ب ب", FACE, None, None));
    let ids = |shaped: &Shaped| -> Vec<u16> { shaped.glyphs.iter().map(|g| g.image.glyph_id).collect() };
    let letters = ids(&joined);
    assert_eq!(letters.len(), 3);
    assert!(letters[0] != letters[1] && letters[1] != letters[2], "final, medial and initial forms differ");
    assert!(!ids(&alone).contains(&letters[1]), "a letter alone has no medial form");
    let text = "סכום 125 שקל";
    let hebrew = Typesetter::for_locale("he").shape(text, FACE, None, None);
    let digits: Vec<&str> =
        hebrew.glyphs.iter().map(|g| &text[g.byte..g.end]).filter(|t| t.parse::<u8>().is_ok()).collect();
    assert_eq!(digits, ["1", "2", "5"], "from left to right");
    assert!(hebrew.glyphs.first().is_some_and(|g| g.byte > 10), "the last word stands at the left");
}

#[test]
fn a_sentence_from_right_to_left_ends_at_the_left() {
    for (locale, text) in
        [("ar", "عمري 18 عامًا."), ("he", "גילי מעל 18 שנים!"), ("fa", "سنم را تأیید می‌کنم…"), ("ar", "(مرحبا)")]
    {
        let shaped = Typesetter::for_locale(locale).shape(text, FACE, None, None);
        let first = shaped.glyphs.first().map(|g| g.end);
        assert_eq!(first, Some(text.len()), "{text}: what ends it stands leftmost");
        assert_eq!(missing(text, &shaped), [""; 0], "{text}");
    }
}

#[test]
fn thai_breaks_between_syllables_and_keeps_its_bytes() {
    let text = "คำสั่งซื้อของคุณเสร็จสมบูรณ์และจะจัดส่งเร็วๆนี้";
    assert!(with_breaks(text).contains(BREAK));
    let shaped = Typesetter::for_locale("th").shape(text, FACE, Some(420.0), None);
    assert!(shaped.lines.len() > 1);
    for line in &shaped.lines[1..] {
        let first = shaped.glyphs[line.glyphs.clone()].iter().map(|g| g.byte).min().expect("glyphs");
        let first = text[first..].chars().next().expect("a character");
        assert!(!matches!(first, '\u{e31}' | '\u{e34}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}'), "{first:?} begins a line");
    }
    assert_eq!(shaped.glyphs.iter().map(|g| g.end).max(), Some(text.len()));
}

#[test]
fn a_character_no_font_has_is_drawn_as_a_box() {
    let typesetter = Typesetter::shared();
    let text = "a\u{1d173}\u{13080}\u{10ffff}\u{e000}b";
    let shaped = typesetter.shape(text, FACE, None, None);
    assert!(!missing(text, &shaped).is_empty());
    assert!(shaped.glyphs.iter().any(|g| g.image.glyph_id == 0 && g.right - g.left > 4.0), "it takes up room");
    typesetter.images(&shaped, |_, _, _| {});
}

#[test]
fn pictures_have_colours_and_the_size_of_the_text() {
    let typesetter = Typesetter::shared();
    let shaped = typesetter.shape("🎉", FACE, None, None);
    let mut seen = 0;
    typesetter.images(&shaped, |_, _, image| {
        let Ink::Picture(pixels) = image.ink else { panic!("a picture") };
        assert!((30..=70).contains(&image.width), "{} pixels wide", image.width);
        assert!(pixels.chunks_exact(4).any(|p| p[3] == 255 && p[0] != p[2]), "in colour");
        seen += 1;
    });
    assert_eq!(seen, 1);
}

#[test]
fn a_long_text_wraps_within_its_width() {
    let typesetter = Typesetter::shared();
    let text = "I have read and agree to the Card Service Agreement";
    let one = typesetter.shape(text, FACE, None, None);
    assert_eq!(one.lines.len(), 1);
    let wrapped = typesetter.shape(text, FACE, Some(400.0), None);
    assert!(wrapped.lines.len() >= 3);
    assert!(wrapped.width <= 400.0);
    let cut = typesetter.shape(text, FACE, Some(400.0), Some(1));
    assert_eq!(cut.lines.len(), 1);
    assert!(cut.width <= 400.0);
}

#[test]
fn every_language_is_cut_with_an_ellipsis() {
    for (locale, text) in SENTENCES {
        let shaped = Typesetter::for_locale(locale).shape(text, FACE, Some(260.0), Some(1));
        assert_eq!(shaped.lines.len(), 1, "{locale}");
        assert!(shaped.width <= 261.0, "{locale}: {}", shaped.width);
    }
}

#[test]
fn medium_is_another_face_than_regular() {
    let typesetter = Typesetter::shared();
    for text in ["Transfer", "مرحبا", "שלום", "नमस्ते", "হ্যালো", "สวัสดี"]
    {
        let regular = typesetter.shape(text, FACE, None, None);
        let medium = typesetter.shape(text, Face { medium: true, ..FACE }, None, None);
        assert_ne!(regular.glyphs[0].image.font_id, medium.glyphs[0].image.font_id, "{text}");
    }
}

#[test]
fn chinese_headings_are_bolder_although_their_font_has_one_weight() {
    let ink = |medium: bool| {
        let typesetter = Typesetter::for_locale("zh-CN");
        let shaped = typesetter.shape("确认订单", Face { medium, ..FACE }, None, None);
        let mut ink = 0_u64;
        typesetter.images(&shaped, |_, _, image| {
            let Ink::Mask(coverage) = image.ink else { panic!("outlines") };
            ink += coverage.iter().map(|c| u64::from(*c)).sum::<u64>();
        });
        ink
    };
    let (regular, medium) = (ink(false), ink(true));
    assert!(medium * 10 > regular * 11 && medium * 10 < regular * 17, "{regular} {medium}");
}

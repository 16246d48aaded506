//! What Android's libraries call the buttons every app has, in the app's language.
//!
//! The wording is `AppCompat`'s (`abc_action_bar_up_description`, `abc_action_menu_overflow_description`).

/// Language, "Navigate up", "More options". Chinese has two rows: simplified and traditional characters.
#[rustfmt::skip]
const TABLE: [(&str, &str, &str); 30] = [
    ("ar", "التنقل إلى أعلى", "المزيد من الخيارات"),
    ("bn", "উপরে নেভিগেট করুন", "আরও বিকল্প"),
    ("cs", "Přejít nahoru", "Další možnosti"),
    ("da", "Gå op", "Flere valgmuligheder"),
    ("de", "Nach oben", "Weitere Optionen"),
    ("el", "Πλοήγηση προς τα επάνω", "Περισσότερες επιλογές"),
    ("es", "Desplazarse hacia arriba", "Más opciones"),
    ("fa", "رفتن به بالا", "گزینه‌های بیشتر"),
    ("fi", "Siirry ylös", "Lisää asetuksia"),
    ("fr", "Revenir en haut de la page", "Autres options"),
    ("he", "ניווט למעלה", "עוד אפשרויות"),
    ("hi", "ऊपर नेविगेट करें", "ज़्यादा विकल्प"),
    ("hu", "Felfelé navigálás", "További lehetőségek"),
    ("id", "Navigasi naik", "Opsi lainnya"),
    ("it", "Torna indietro", "Altre opzioni"),
    ("ja", "上へ移動", "その他のオプション"),
    ("ko", "위로 이동", "옵션 더보기"),
    ("nb", "Gå opp", "Flere alternativer"),
    ("nl", "Omhoog navigeren", "Meer opties"),
    ("pl", "Przejdź wyżej", "Więcej opcji"),
    ("pt", "Navegar para cima", "Mais opções"),
    ("ro", "Navighează în sus", "Mai multe opțiuni"),
    ("ru", "Перейти вверх", "Ещё"),
    ("sv", "Navigera uppåt", "Fler alternativ"),
    ("th", "นำทางขึ้น", "ตัวเลือกเพิ่มเติม"),
    ("tr", "Yukarı git", "Diğer seçenekler"),
    ("uk", "Перейти вгору", "Інші опції"),
    ("vi", "Di chuyển lên", "Thêm tùy chọn"),
    ("zh", "转到上一层级", "更多选项"),
    ("zh-Hant", "向上瀏覽", "更多選項"),
];

/// Language, and what the framework's pickers say: "Cancel", "OK", "Previous month", "Next month" (`cancel`, `ok`,
/// `date_picker_prev_month_button`, `date_picker_next_month_button` of API 34).
#[rustfmt::skip]
const PICKERS: [(&str, [&str; 4]); 12] = [
    ("ar", ["إلغاء", "حسنًا", "الشهر السابق", "الشهر التالي"]),
    ("de", ["Abbrechen", "OK", "Vormonat", "Nächster Monat"]),
    ("es", ["Cancelar", "Aceptar", "Mes anterior", "Próximo mes"]),
    ("fr", ["Annuler", "OK", "Mois précédent", "Mois suivant"]),
    ("he", ["ביטול", "אישור", "החודש הקודם", "החודש הבא"]),
    ("it", ["Annulla", "OK", "Mese precedente", "Mese successivo"]),
    ("ja", ["キャンセル", "OK", "前月", "翌月"]),
    ("ko", ["취소", "확인", "지난달", "다음 달"]),
    ("pt", ["Cancelar", "OK", "Mês passado", "Próximo mês"]),
    ("ru", ["Отмена", "ОК", "Прошлый месяц", "Следующий месяц"]),
    ("tr", ["İptal", "Tamam", "Önceki ay", "Sonraki ay"]),
    ("zh", ["取消", "确定", "上个月", "下个月"]),
];

/// What [`PICKERS`] has, in English.
const IN_PICKERS: [&str; 4] = ["Cancel", "OK", "Previous month", "Next month"];

/// A word of the framework's date and time pickers in the language of `locale`; as it is where the table does not have it.
pub(super) fn in_picker(locale: &str, english: &'static str) -> &'static str {
    let language = match locale.split('-').next().unwrap_or_default() {
        "iw" => "he",
        language => language,
    };
    let words = PICKERS.iter().find(|(known, _)| *known == language).map(|(_, words)| words);
    let at = IN_PICKERS.iter().position(|known| *known == english);
    words.zip(at).and_then(|(words, at)| words.get(at).copied()).unwrap_or(english)
}

/// `english` in the language of `locale`; as it is where the table does not have it.
pub(super) fn in_language(locale: &str, english: &'static str) -> &'static str {
    let language = match locale.split('-').next().unwrap_or_default() {
        "zh" if locale.split('-').any(|part| matches!(part, "TW" | "HK" | "MO" | "Hant")) => "zh-Hant",
        // What Java once called these languages.
        "iw" => "he",
        "in" => "id",
        "no" => "nb",
        language => language,
    };
    let Some((_, up, more)) = TABLE.iter().find(|(known, ..)| *known == language) else { return english };
    match english {
        "Navigate up" => up,
        "More options" => more,
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pickers_speak_the_language_and_english_where_it_is_unknown() {
        for (locale, words) in [
            ("de-DE", ["Abbrechen", "OK", "Vormonat", "Nächster Monat"]),
            ("iw-IL", ["ביטול", "אישור", "החודש הקודם", "החודש הבא"]),
            ("xx", IN_PICKERS),
        ] {
            assert_eq!(IN_PICKERS.map(|english| in_picker(locale, english)), words, "{locale}");
        }
    }

    #[test]
    fn words_follow_the_language_and_are_english_where_unknown() {
        for (locale, up, more) in [
            ("en-GB", "Navigate up", "More options"),
            ("de-AT", "Nach oben", "Weitere Optionen"),
            ("zh-Hant-HK", "向上瀏覽", "更多選項"),
            ("zh-CN", "转到上一层级", "更多选项"),
            ("iw", "ניווט למעלה", "עוד אפשרויות"),
            ("xx", "Navigate up", "More options"),
        ] {
            assert_eq!(
                (in_language(locale, "Navigate up"), in_language(locale, "More options")),
                (up, more),
                "{locale}"
            );
        }
    }
}

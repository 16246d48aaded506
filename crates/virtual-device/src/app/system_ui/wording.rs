//! What the system's dialogs say in the device's language.

/// The languages of the table, in its order. Chinese has two: simplified and traditional characters.
const LANGUAGES: [&str; 13] = ["es", "fr", "de", "pt", "zh", "zh-Hant", "ja", "ko", "ar", "he", "hi", "tr", "ru"];

/// English, then as in `LANGUAGES`; `{}` is the app's label.
#[rustfmt::skip]
const TABLE: [(&str, [&str; 13]); 19] = [
    ("Allow", ["Permitir", "Autoriser", "Zulassen", "Permitir", "允许", "允許", "許可", "허용", "السماح", "אישור", "अनुमति दें", "İzin ver", "Разрешить"]),
    ("Deny", ["Denegar", "Refuser", "Ablehnen", "Negar", "拒绝", "拒絕", "許可しない", "거부", "رفض", "דחייה", "अस्वीकार करें", "Reddet", "Отклонить"]),
    ("Don’t allow", ["No permitir", "Ne pas autoriser", "Nicht zulassen", "Não permitir", "不允许", "不允許", "許可しない", "허용 안함", "عدم السماح", "אין אישור", "अनुमति न दें", "İzin verme", "Запретить"]),
    ("While using the app", ["Mientras se usa la aplicación", "Lorsque vous utilisez l’appli", "Bei Nutzung der App", "Durante o uso do app", "仅在使用该应用时允许", "使用應用程式時", "アプリの使用時のみ", "앱 사용 중에만 허용", "أثناء استخدام التطبيق", "בזמן השימוש באפליקציה", "ऐप्लिकेशन का इस्तेमाल करते समय", "Uygulamayı kullanırken", "При использовании приложения"]),
    ("Only this time", ["Solo esta vez", "Uniquement cette fois-ci", "Nur dieses Mal", "Apenas esta vez", "仅限这一次", "僅允許這一次", "今回のみ", "이번만 허용", "هذه المرة فقط", "רק הפעם", "सिर्फ़ इस बार", "Yalnızca bu defa", "Только в этот раз"]),
    ("Allow all", ["Permitir todo", "Tout autoriser", "Alle zulassen", "Permitir tudo", "全部允许", "全部允許", "すべて許可", "모두 허용", "السماح بالكل", "אישור הכול", "सभी को अनुमति दें", "Tümüne izin ver", "Разрешить все"]),
    ("Precise", ["Precisa", "Exacte", "Genau", "Exata", "确切位置", "精確", "正確", "정확한 위치", "دقيق", "מדויק", "सटीक", "Tam", "Точное"]),
    ("Approximate", ["Aproximada", "Approximative", "Ungefähr", "Aproximada", "大致位置", "大概", "おおよそ", "대략적인 위치", "تقريبي", "משוער", "अनुमानित", "Yaklaşık", "Приблизительное"]),
    ("Allow {} to access this device’s location?", ["¿Permitir que {} acceda a la ubicación de este dispositivo?", "Autoriser {} à accéder à la position de cet appareil ?", "{} den Zugriff auf den Gerätestandort erlauben?", "Permitir que o app {} acesse o local deste dispositivo?", "要允许“{}”获取此设备的位置信息吗？", "要允許「{}」存取這部裝置的位置資訊嗎？", "このデバイスの位置情報へのアクセスを「{}」に許可しますか？", "{}에서 내 기기 위치에 액세스하도록 허용하시겠습니까?", "هل تريد السماح لتطبيق {} بالوصول إلى الموقع الجغرافي لهذا الجهاز؟", "לאשר לאפליקציה {} גישה למיקום של המכשיר הזה?", "{} को इस डिवाइस की जगह की जानकारी ऐक्सेस करने की अनुमति दें?", "{} uygulamasının bu cihazın konumuna erişmesine izin verilsin mi?", "Разрешить приложению {} доступ к данным о местоположении этого устройства?"]),
    ("Allow {} to take pictures and record video?", ["¿Permitir que {} haga fotos y grabe vídeos?", "Autoriser {} à prendre des photos et à enregistrer des vidéos ?", "{} erlauben, Bilder und Videos aufzunehmen?", "Permitir que o app {} tire fotos e grave vídeos?", "要允许“{}”拍摄照片和录制视频吗？", "要允許「{}」拍攝相片和錄製影片嗎？", "写真と動画の撮影を「{}」に許可しますか？", "{}에서 사진을 촬영하고 동영상을 녹화하도록 허용하시겠습니까?", "هل تريد السماح لتطبيق {} بالتقاط صور وتسجيل فيديوهات؟", "לאשר לאפליקציה {} לצלם תמונות וסרטונים?", "{} को फ़ोटो खींचने और वीडियो रिकॉर्ड करने की अनुमति दें?", "{} uygulamasının fotoğraf çekmesine ve video kaydetmesine izin verilsin mi?", "Разрешить приложению {} снимать фото и видео?"]),
    ("Allow {} to send you notifications?", ["¿Permitir que {} te envíe notificaciones?", "Autoriser {} à vous envoyer des notifications ?", "{} erlauben, dir Benachrichtigungen zu senden?", "Permitir que o app {} envie notificações?", "要允许“{}”向您发送通知吗？", "要允許「{}」傳送通知給你嗎？", "通知の送信を「{}」に許可しますか？", "{}에서 알림을 보내도록 허용하시겠습니까?", "هل تريد السماح لتطبيق {} بإرسال إشعارات إليك؟", "לאשר לאפליקציה {} לשלוח לך התראות?", "{} को आपको सूचनाएं भेजने की अनुमति दें?", "{} uygulamasının size bildirim göndermesine izin verilsin mi?", "Разрешить приложению {} отправлять вам уведомления?"]),
    ("{} has stopped", ["{} se ha detenido", "{} s’est arrêté", "{} wurde beendet", "O app {} parou", "{}已停止运行", "「{}」已停止運作", "「{}」が停止しました", "{} 앱이 중지됨", "توقّف {}", "האפליקציה {} נעצרה", "{} रुक गया है", "{} durdu", "В приложении {} произошел сбой"]),
    ("{} keeps stopping", ["{} se detiene continuamente", "{} s’arrête systématiquement", "{} wird wiederholt beendet", "O app {} apresenta falhas continuamente", "{}屡次停止运行", "「{}」屢次停止運作", "「{}」が繰り返し停止しています", "{} 앱이 계속 중단됨", "يتوقّف {} بشكل متكرر", "האפליקציה {} נעצרת שוב ושוב", "{} बार-बार रुक रहा है", "{} sürekli duruyor", "В приложении {} снова произошел сбой"]),
    ("{} isn't responding", ["{} no responde", "{} ne répond pas", "{} reagiert nicht", "O app {} não está respondendo", "{}没有响应", "「{}」沒有回應", "「{}」は応答していません", "{} 앱이 응답하지 않음", "لا يستجيب {}", "האפליקציה {} לא מגיבה", "{} काम नहीं कर रहा है", "{} yanıt vermiyor", "Приложение {} не отвечает"]),
    ("Close app", ["Cerrar aplicación", "Fermer l’application", "App schließen", "Fechar app", "关闭应用", "關閉應用程式", "アプリを閉じる", "앱 닫기", "إغلاق التطبيق", "סגירת האפליקציה", "ऐप्लिकेशन बंद करें", "Uygulamayı kapat", "Закрыть приложение"]),
    ("Wait", ["Esperar", "Attendre", "Warten", "Aguardar", "等待", "等候", "待機", "대기", "انتظار", "המתנה", "इंतज़ार करें", "Bekle", "Подождать"]),
    ("App info", ["Información de la aplicación", "Infos sur l’appli", "App-Info", "Informações do app", "应用信息", "應用程式資訊", "アプリ情報", "앱 정보", "معلومات التطبيق", "פרטי האפליקציה", "ऐप्लिकेशन की जानकारी", "Uygulama bilgileri", "О приложении"]),
    ("Copy", ["Copiar", "Copier", "Kopieren", "Copiar", "复制", "複製", "コピー", "복사", "نسخ", "העתקה", "कॉपी करें", "Kopyala", "Копировать"]),
    ("No apps can perform this action.", ["Ninguna aplicación puede realizar esta acción.", "Aucune application ne peut effectuer cette action.", "Diese Aktion kann von keiner App ausgeführt werden.", "Nenhum app pode realizar esta ação.", "没有应用可执行此操作。", "沒有應用程式可執行這項操作。", "この操作を実行できるアプリはありません。", "이 작업을 수행할 수 있는 앱이 없습니다.", "ليس هناك تطبيقات يمكنها تنفيذ هذا الإجراء.", "אין אפליקציות שיכולות לבצע את הפעולה הזו.", "कोई भी ऐप्लिकेशन यह कार्रवाई नहीं कर सकता.", "Bu işlemi gerçekleştirebilecek uygulama yok.", "Нет приложений, способных выполнить это действие."]),
];

/// `english` in the language of `locale`; as it is where the table does not have it.
pub(super) fn in_language(locale: &str, english: &str) -> String {
    let language = match locale.split('-').next().unwrap_or_default() {
        "zh" if ["TW", "HK", "MO", "Hant"].iter().any(|part| locale.split('-').any(|own| own == *part)) => "zh-Hant",
        "iw" => "he",
        language => language,
    };
    let column = LANGUAGES.iter().position(|known| *known == language);
    let row = TABLE.iter().find(|(known, _)| *known == english);
    column.zip(row).and_then(|(column, (_, texts))| texts.get(column)).map_or(english, |text| text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_systems_words_follow_the_device() {
        let words = [
            ("en-US", "Wait"),
            ("de-AT", "Warten"),
            ("zh-CN", "等待"),
            ("zh-TW", "等候"),
            ("zh-Hant-HK", "等候"),
            ("iw", "המתנה"),
            ("cs-CZ", "Wait"),
        ];
        for (locale, text) in words {
            assert_eq!(in_language(locale, "Wait"), text, "{locale}");
        }
        assert_eq!(in_language("de", "What is not in the table"), "What is not in the table");
        for (english, texts) in TABLE {
            assert!(texts.iter().all(|text| text.contains("{}") == english.contains("{}")), "{english}");
        }
    }
}

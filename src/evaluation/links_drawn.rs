//! Paragraphs with links, drawn with the virtual device's own typesetter.

use crate::domain::{Rect, Screenshot};
use crate::virtual_device::ElementSnapshot;
use crate::virtual_device::app::{AppContext, AppFile, ShownLink, Typesetter, launch, shown_links};
use quick_xml::escape::escape;
use std::fmt::Write;
use std::sync::Arc;

/// Locale, then a paragraph in five parts: plain, link, plain, link, plain.
const SCRIPTS: &[(&str, [&str; 5])] = &[
    (
        "en-US",
        [
            "By continuing you agree to our ",
            "Terms of Service",
            " and have read the ",
            "Privacy Policy",
            ", which explain your rights.",
        ],
    ),
    (
        "zh-CN",
        ["登录即表示您已阅读并同意", "《用户服务协议》", "以及本应用的", "《隐私政策》", "，并授权我们处理您的信息。"],
    ),
    (
        "ja-JP",
        ["続行すると、当社の", "利用規約", "に同意し、", "プライバシーポリシー", "を確認したものとみなされます。"],
    ),
    (
        "ko-KR",
        ["계속 진행하면 회사의 ", "이용 약관", "에 동의하고 ", "개인정보 처리방침", "을 확인한 것으로 간주됩니다."],
    ),
    ("ar-EG", ["بالمتابعة فإنك توافق على ", "شروط الخدمة", " وتقر بأنك قرأت ", "سياسة الخصوصية", " الخاصة بنا كاملة."]),
    (
        "he-IL",
        ["בלחיצה על המשך אני מסכים אל ", "תנאי השימוש", " ומאשר שקראתי את ", "מדיניות הפרטיות", " של החברה במלואה."],
    ),
    ("hi-IN", ["जारी रखने पर आप हमारी ", "सेवा की शर्तें", " स्वीकार करते हैं और हमारी ", "गोपनीयता नीति", " को पढ़ लिया है।"]),
    (
        "ru-RU",
        [
            "Продолжая, вы принимаете ",
            "условия использования",
            " и подтверждаете, что прочли ",
            "политику конфиденциальности",
            " компании.",
        ],
    ),
    ("th-TH", ["เมื่อดำเนินการต่อ คุณยอมรับ", "ข้อกำหนดการใช้งาน", " และได้อ่าน", "นโยบายความเป็นส่วนตัว", " ของเราแล้ว"]),
    (
        "vi-VN",
        ["Khi tiếp tục, bạn đồng ý với ", "Điều khoản dịch vụ", " và đã đọc ", "Chính sách bảo mật", " của chúng tôi."],
    ),
    (
        "el-GR",
        [
            "Συνεχίζοντας αποδέχεστε τους ",
            "Όρους χρήσης",
            " και έχετε διαβάσει την ",
            "Πολιτική απορρήτου",
            " της εταιρείας μας.",
        ],
    ),
];

const STYLES: &[&str] =
    &["coloured", "underlined", "dark", "dark underlined", "photo", "photo underlined", "two links", "broken"];

const BLUES: &[&str] = &["#1976d2", "#1a73e8", "#00897b", "#c2185b", "#6a1b9a", "#d84315", "#0000ee", "#2e7d32"];
const PALE: &[&str] = &["#8ab4f8", "#80cbc4", "#ffb74d", "#f48fb1", "#81d4fa"];
const PHOTOS: &[&str] = &["landscape", "city", "food", "portrait", "abstract", "product"];

/// A paragraph, drawn.
pub(super) struct DrawnParagraph {
    pub(super) script: &'static str,
    pub(super) style: &'static str,
    pub(super) hierarchy: String,
    pub(super) picture: Screenshot,
    /// Each link with the boxes of its ink.
    pub(super) links: Vec<(ShownLink, Vec<Rect>)>,
}

/// Draws the paragraph of this number: every script meets every style, and sizes, colours and widths change.
pub(super) fn draw(number: usize) -> Result<DrawnParagraph, String> {
    let (locale, parts) = SCRIPTS[number % SCRIPTS.len()];
    let round = number / SCRIPTS.len();
    let style = STYLES[(number % SCRIPTS.len() + round) % STYLES.len()];
    let mut padding = 16 + number * 7 % 60;
    // A link is broken where its line ends: the width is changed until that is within the link.
    for attempt in 0..40 {
        let look = Look { number, style, padding, attempt };
        let drawn = look.draw(locale, &parts)?;
        if style != "broken" || drawn.links.iter().any(|(link, _)| link.boxes.len() > 1) {
            return Ok(drawn);
        }
        padding += 5;
    }
    Err(format!("no width breaks a link of {locale}"))
}

struct Look {
    number: usize,
    style: &'static str,
    padding: usize,
    attempt: usize,
}

impl Look {
    fn draw(&self, locale: &'static str, parts: &[&str; 5]) -> Result<DrawnParagraph, String> {
        let pick = |of: &[&'static str]| of[self.number / 3 % of.len()];
        let dark = self.style.contains("dark") || self.style.contains("photo");
        let ink = if dark { "#ececec" } else { "#222428" };
        let underlined = self.style.contains("underlined");
        let link = if underlined { ink } else { pick(if dark { PALE } else { BLUES }) };
        let shown = self.app(parts, link, ink)?;
        // The same with links in another colour: where both differ, a link has its ink.
        let other = self.app(parts, if dark { "#ff0000" } else { "#00c853" }, ink)?;
        let mut context = AppContext::phone();
        locale.clone_into(&mut context.locale);
        context.typesetter = Typesetter::for_locale(locale);
        let start = |file: &Arc<AppFile>| launch(Arc::clone(file), context.clone()).map_err(|error| error.to_string());
        let mut app = start(&shown)?;
        let (picture, contrast) = (app.render(), start(&other)?.render());
        let mut hierarchy = String::from("<hierarchy rotation=\"0\">");
        write_node(&app.snapshot(), &mut hierarchy);
        hierarchy.push_str("</hierarchy>");
        let links = shown_links(&shown, context).map_err(|error| error.to_string())?;
        let links = links
            .into_iter()
            .map(|link| {
                let ink = link.boxes.iter().filter_map(|place| differing(&picture, &contrast, *place)).collect();
                (link, ink)
            })
            .collect();
        let script = locale.split('-').next().unwrap_or(locale);
        Ok(DrawnParagraph { script, style: self.style, hierarchy, picture, links })
    }

    fn app(&self, parts: &[&str; 5], link: &str, ink: &str) -> Result<Arc<AppFile>, String> {
        let two = self.style == "two links";
        let (number, padding) = (self.number, self.padding);
        let size = ["small", "body", "label"][self.number % 3];
        let align = if number % 5 == 4 { "center" } else { "start" };
        let mut spans = String::new();
        for (at, part) in parts.iter().enumerate() {
            let action = if at == 1 && (two || number % 2 == 0) || at == 3 && (two || number % 2 == 1) {
                ", link: [{goto: there}]"
            } else {
                ""
            };
            // JSON's quoting is YAML's as well; Rust's own is not.
            let _ = write!(spans, "{{text: {}{action}}}, ", serde_json::Value::from(*part));
        }
        let underline = self.style.contains("underlined");
        let paragraph = format!(
            "paragraph: {{id: terms, style: {size}, align: {align}, color: \"{ink}\", link_color: \"{link}\", \
             underline: {underline}, spans: [{spans}]}}"
        );
        let body = if self.style.contains("photo") {
            let kind = PHOTOS[number / 5 % PHOTOS.len()];
            format!(
                "photo: {{kind: {kind}, seed: '{number}', scrim: 0.55, height: 320, padding: 16, children: [{{{paragraph}}}]}}"
            )
        } else {
            paragraph
        };
        let theme = if self.style.starts_with("dark") { "dark" } else { "light" };
        let text = format!(
            "package: org.example.links\nlabel: Links\nprimary: \"#00695c\"\ntheme: {{dark: {theme}}}\nscreens:\n  - id: home\n    \
             padding: [{}, {padding}]\n    body:\n      - {{{body}}}\n  - id: there\n    body: [{{spacer: {{}}}}]\n",
            40 + self.attempt
        );
        AppFile::load("links.app.yaml", &text).map(Arc::new).map_err(|error| error.to_string())
    }
}

/// Extent of the pixels in which two pictures differ.
fn differing(a: &Screenshot, b: &Screenshot, area: Rect) -> Option<Rect> {
    let area = a.clip(area)?;
    let mut extent: Option<Rect> = None;
    for y in area.top..area.bottom {
        for x in area.left..area.right {
            let (first, second) = (a.rgb(x as u32, y as u32)?, b.rgb(x as u32, y as u32)?);
            if first.iter().zip(second).any(|(a, b)| a.abs_diff(b) > 24) {
                let one = extent.unwrap_or_else(|| Rect::new(x, y, x + 1, y + 1));
                extent = Some(Rect::new(one.left.min(x), one.top.min(y), one.right.max(x + 1), one.bottom.max(y + 1)));
            }
        }
    }
    extent
}

fn write_node(node: &ElementSnapshot, xml: &mut String) {
    let _ = write!(
        xml,
        "<node index=\"{}\" text=\"{}\" resource-id=\"{}\" class=\"{}\" package=\"{}\" content-desc=\"{}\" \
         clickable=\"{}\" enabled=\"{}\" focusable=\"{}\" scrollable=\"{}\" bounds=\"{}\">",
        node.index,
        escape(&node.text),
        escape(&node.resource_id),
        escape(&node.class),
        escape(&node.package),
        escape(&node.content_desc),
        node.clickable,
        node.enabled,
        node.focusable,
        node.scrollable,
        node.bounds
    );
    for child in &node.children {
        write_node(child, xml);
    }
    xml.push_str("</node>");
}

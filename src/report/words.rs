//! How numbers and device texts are written for people.

/// Milliseconds as `87 ms`, `3.4 s` or `2 min 05 s`.
pub(super) fn duration(ms: f64) -> String {
    if ms < 999.5 {
        format!("{ms:.0} ms")
    } else if ms < 59_950.0 {
        format!("{:.1} s", ms / 1000.0)
    } else {
        let seconds = (ms / 1000.0).round() as u64;
        format!("{} min {:02} s", seconds / 60, seconds % 60)
    }
}

/// `1 action`, `2 actions`.
pub(super) fn count(n: u64, noun: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{n} {noun}{plural}")
}

/// A text in one line without control characters: what an app shows must not steer a terminal.
pub(super) fn plain_line(text: &str) -> String {
    let visible = text.chars().map(|c| if c.is_control() || is_format(c) { ' ' } else { c }).collect::<String>();
    visible.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Characters that reorder or hide their neighbours (bidirectional controls, byte order mark).
const fn is_format(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// At most `width` characters, the end replaced by `…` where it is longer.
pub(super) fn shortened(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let kept: String = text.chars().take(width.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_take_the_unit_that_reads_best() {
        for (ms, text) in
            [(0.2, "0 ms"), (999.6, "1.0 s"), (3_449.0, "3.4 s"), (59_960.0, "1 min 00 s"), (125_000.0, "2 min 05 s")]
        {
            assert_eq!(duration(ms), text);
        }
    }

    #[test]
    fn a_device_text_cannot_steer_a_terminal() {
        assert_eq!(plain_line("a\u{1b}[2J\nb\u{202e}c"), "a [2J b c");
        assert_eq!(shortened("Agreement of card", 10), "Agreement…");
    }
}

//! Calls that have one place, or none.

use crate::finding::Finding;
use crate::source::{Source, pattern};
use regex::Regex;
use std::sync::LazyLock;

/// A table that is nothing where it cannot be read.
static HIDDEN_TABLE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(LazyLock|OnceLock|OnceCell|LazyCell)\s*<\s*Option\b|\bfrom_str\s*\(\s*include_str!\s*\([^;{}]{0,80}?\.\s*(ok\s*\(|unwrap_or)",
    )
});

/// Any spelling of sleeping, imports included.
static SLEEP: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\bsleep(_until|_ms)?\s*\(|\b(thread|time)\s*::\s*sleep\w*|\bpark_timeout\b"));

/// `std::env` and its functions.
static ENVIRONMENT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"\bstd\s*::\s*env\b(\s*::\s*\w+)?|",
        r"\benv\s*::\s*(vars?|args|set_var|remove_var|current_dir|current_exe|home_dir|temp_dir)\w*"
    ))
});

/// A string that begins a line for the device's `input`, or formats one.
static INPUT_LINE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r#"(format|concat|write|writeln)!\s*\([^"]{0,40}"input "#,
        r#"|((starts_with|ends_with|strip_prefix|contains)\s*\(\s*)?("|shell |; |&& )input (tap|swipe|text|keyevent|press|roll|draganddrop|motionevent|keycombination)\b"#
    ))
});

/// Panics on purpose.
static PANIC: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"\.\s*unwrap\s*\(\s*\)|\.\s*(unwrap|expect)_err\s*\(|\.\s*expect\s*\(|\b(panic|todo|unimplemented)!")
});

fn findings(source: &Source, text: &str, rule: &'static str, pattern: &Regex, message: &str) -> Vec<Finding> {
    let finding = |(line, found): (usize, String)| Finding {
        rule,
        path: source.path.clone(),
        line,
        message: format!("`{found}`: {message}"),
    };
    Source::matches(text, pattern).into_iter().map(finding).collect()
}

/// Sleeping, in product and tests alike.
pub(crate) fn sleeps(source: &Source) -> Vec<Finding> {
    if source.path == "src/device/settle.rs" {
        return Vec::new();
    }
    findings(source, &source.code_with_tests, "sleep", &SLEEP, "wait for an event, bounded by a timeout, instead")
}

/// Reading the process's environment outside the composition root and the command line.
pub(crate) fn environment_reads(source: &Source) -> Vec<Finding> {
    if !source.is_product() || source.is_in("src/app") || source.is_in("src/cli") {
        return Vec::new();
    }
    let mut found = findings(
        source,
        &source.code,
        "environment",
        &ENVIRONMENT,
        "take the value as an argument; `app.rs` or `cli/` reads it",
    );
    // Constants of the compiler, not of the environment.
    found.retain(|finding| !finding.message.contains("consts`"));
    found
}

/// Lines of the device's `input` command put together by hand.
pub(crate) fn hand_made_input_lines(source: &Source) -> Vec<Finding> {
    if !source.is_product() || source.is_in("src/adb") || source.is_in("crates/virtual-device/src") {
        return Vec::new();
    }
    let message = "device input goes through `adb::ShellTemplate` (skills) or `adb::quote`";
    let mut found = findings(source, &source.code_and_strings, "input line", &INPUT_LINE, message);
    // Recognising a line is not making one.
    found.retain(|finding| {
        !finding.message.split('"').next().is_some_and(|head| head.ends_with('(') && !head.contains('!'))
    });
    found
}

/// Panics on purpose in product code.
pub(crate) fn deliberate_panics(source: &Source) -> Vec<Finding> {
    if !source.is_product() {
        return Vec::new();
    }
    findings(source, &source.code, "panic", &PANIC, "return an error with context and remedy")
}

/// Bundled tables whose error nobody would see.
pub(crate) fn hidden_tables(source: &Source) -> Vec<Finding> {
    if !source.is_product() {
        return Vec::new();
    }
    findings(
        source,
        &source.code,
        "hidden table",
        &HIDDEN_TABLE,
        "use a BundledTable and verify it at the start (src/app/tables.rs), or keep the error",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(rule: fn(&Source) -> Vec<Finding>, path: &str, text: &str) -> usize {
        rule(&Source::new(path, text)).len()
    }

    #[test]
    fn sleeping_is_found_everywhere_but_in_settling_and_comments() {
        for text in ["fn f() { tokio::time::sleep(d).await }", "use std::thread::sleep;", "fn f() { sleep_until(t) }"] {
            assert!(count(sleeps, "src/pipeline/mod.rs", text) > 0, "{text}");
            assert!(count(sleeps, "tests/integration/a.rs", text) > 0, "{text}");
            assert!(count(sleeps, "src/a.rs", &format!("#[cfg(test)]\nmod tests {{ {text} }}")) > 0, "{text}");
            assert_eq!(count(sleeps, "src/device/settle.rs", text), 0);
        }
        assert_eq!(count(sleeps, "src/pipeline/mod.rs", "// never sleep(1)\nconst A: &str = \"sleep(1)\";"), 0);
    }

    #[test]
    fn the_environment_is_read_only_at_the_top() {
        for text in ["let a = std::env::var(\"A\");", "use std::env;", "fn f() { env::temp_dir() }"] {
            assert_eq!(count(environment_reads, "src/adb/client.rs", text), 1, "{text}");
            assert_eq!(count(environment_reads, "src/app.rs", text), 0);
            assert_eq!(count(environment_reads, "src/cli/console.rs", text), 0);
            assert_eq!(count(environment_reads, "tests/integration/main.rs", text), 0);
        }
        assert_eq!(
            count(environment_reads, "src/application/mod.rs", "use std::env;"),
            1,
            "only `app` itself is exempt"
        );
    }

    #[test]
    fn a_hand_made_input_line_is_found() {
        for text in [
            "fn f() { format!(\"input {}\", x) }",
            "fn f() { run(\"input tap 1 2\") }",
            "fn f() { run(r\"adb shell input text abc\") }",
            "fn f() { write!(out, \"input swipe {a}\") }",
        ] {
            assert!(count(hand_made_input_lines, "src/script/export.rs", text) > 0, "{text}");
            assert_eq!(count(hand_made_input_lines, "crates/virtual-device/src/shell.rs", text), 0);
            assert_eq!(count(hand_made_input_lines, "src/adb/shell_line.rs", text), 0);
        }
        let harmless = "/// `input tap 1 2`\nconst A: &str = \"the input text is empty\";\n\
                        fn f(l: &str) -> bool { l.starts_with(\"input text \") }";
        assert_eq!(count(hand_made_input_lines, "src/script/export.rs", harmless), 0);
    }

    #[test]
    fn a_deliberate_panic_is_found_in_product_code_only() {
        // Put together from parts, so that a search of the repository for these words finds no open work here.
        let unfinished = [["to", "do!()"].concat(), ["unimplement", "ed!()"].concat()];
        for text in
            ["a.unwrap()", "a\n    .unwrap()", "a.expect(\"b\")", "panic!(\"x\")", &unfinished[0], &unfinished[1]]
        {
            let product = format!("fn f() {{ {text} }}");
            assert_eq!(count(deliberate_panics, "src/run/mod.rs", &product), 1, "{text}");
            assert_eq!(count(deliberate_panics, "src/run/mod.rs", &format!("#[cfg(test)]\n{product}")), 0, "{text}");
            assert_eq!(count(deliberate_panics, "tests/a.rs", &product), 0, "{text}");
        }
        let harmless = "#[expect(clippy::x, reason = \"y\")]\nfn f() { a.unwrap_or(1); // .unwrap()\n }";
        assert_eq!(count(deliberate_panics, "src/run/mod.rs", harmless), 0);
    }

    #[test]
    fn a_table_that_hides_its_error_is_found() {
        for text in [
            "static A: LazyLock<Option<Words>> = x;",
            "static A: OnceLock<Option<Regex>> = x;",
            "static A: LazyLock<W> = LazyLock::new(|| toml::from_str(include_str!(\"a.toml\")).unwrap_or_default());",
        ] {
            assert_eq!(count(hidden_tables, "src/run/mod.rs", text), 1, "{text}");
            assert_eq!(count(hidden_tables, "tests/a.rs", text), 0, "{text}");
        }
        for text in ["static A: LazyLock<Result<R, E>> = x;", "static A: BundledTable<W> = BundledTable::toml(a, b);"] {
            assert_eq!(count(hidden_tables, "src/run/mod.rs", text), 0, "{text}");
        }
    }
}

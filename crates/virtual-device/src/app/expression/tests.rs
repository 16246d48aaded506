use super::*;

/// A table of expressions and what they give, with the variables `rows`, `name`, `n`, `map`.
fn value_of(source: &str) -> Result<Dynamic, ExpressionError> {
    let expressions = Expressions::new(World::new(facts()), Arc::default());
    expressions.value(source, &mut scope())
}

fn facts() -> Facts {
    Facts {
        wall: jiff::civil::DateTime::constant(2026, 3, 9, 14, 5, 7, 0),
        now: std::time::Duration::from_millis(1500),
        locale: "de-DE".to_owned(),
        font_scale: 1.3,
        api: 34,
        location: Some((52.52, 13.405)),
        granted: Arc::new(["android.permission.CAMERA".to_owned()].into()),
        bugs: [("fee_twice".to_owned(), true), ("slow".to_owned(), false)].into(),
        variants: [("layout".to_owned(), "b".to_owned())].into(),
        version: "2.10".to_owned(),
        generator: Generator::new(1, "com.example", 1),
        ..Facts::default()
    }
}

fn scope() -> Scope<'static> {
    let mut scope = Scope::new();
    let rows = serde_json::json!([
        {"id": 1, "name": "Bread", "price": 250, "done": true},
        {"id": 2, "name": "apples", "price": 120, "done": false},
        {"id": 3, "name": "Milk", "price": 99, "done": false}
    ]);
    scope.push_dynamic("rows", dynamic(&rows));
    scope.push("name", "  Ada Lovelace ".to_owned());
    scope.push("n", 7_i64);
    scope.push_dynamic("map", dynamic(&serde_json::json!({"a": 1})));
    scope
}

#[test]
fn every_function_gives_what_the_guide_says() {
    for (source, expected) in [
        ("with([1, 2, 3], 1, 9)", "[1, 9, 3]"),
        ("without([1, 2, 3], 0)", "[2, 3]"),
        ("append([1], 2)", "[1, 2]"),
        ("append([[1]], [2])", "[[1], [2]]"),
        ("put(map, \"a\", 2).a", "2"),
        ("map.a", "1"),
        ("where(rows, \"done\", false).len()", "2"),
        ("find(rows, \"id\", 2).name", "apples"),
        ("find(rows, \"id\", 9) == ()", "true"),
        ("index_of(rows, \"id\", 3)", "2"),
        ("index_of(rows, \"name\", \"Bread\")", "0"),
        ("index_of([\"a\", \"b\"], \"b\")", "1"),
        ("index_of([4, 5], 6)", "-1"),
        ("sum(rows, \"price\")", "469"),
        ("sum([1, 2.5])", "3.5"),
        ("count(rows, \"done\", true)", "1"),
        ("count(rows)", "3"),
        ("sorted(rows, \"name\")[0].name", "apples"),
        ("sorted([3, 1, 2])", "[1, 2, 3]"),
        ("reversed([1, 2])", "[2, 1]"),
        ("slice([1, 2, 3, 4], 1, 2)", "[2, 3]"),
        ("range(1, 4)", "[1, 2, 3]"),
        ("search(rows, \"name\", \"MIL\").len()", "1"),
        ("fields(rows, \"id\")", "[1, 2, 3]"),
        ("join([\"a\", \"b\"], \", \")", "a, b"),
        ("split(\"a,b\", \",\").len()", "2"),
        ("words(\" one two  three \").len()", "3"),
        ("lower(\"ÄB\")", "äb"),
        ("upper(\"ä\")", "Ä"),
        ("trim(name)", "Ada Lovelace"),
        ("replace(name, \"Ada\", \"Eva\")", "  Eva Lovelace "),
        ("name", "  Ada Lovelace "),
        ("matches(\"a1\", \"^[a-z][0-9]$\")", "true"),
        ("pad(n, 3)", "007"),
        ("round(2.5)", "3"),
        ("round(2.345, 1)", "2.3"),
        ("number(\"12\") + 1", "13"),
        ("text(12) + \"!\"", "12!"),
        ("money(123456)", "1,234.56"),
        ("cents(\"12.5\")", "1250"),
        ("percent_of(1000, 8.25)", "83"),
        ("number_format(1234567)", "1.234.567"),
        ("now_ms()", "1500"),
        ("today()", "2026-03-09"),
        ("date(today(), \"MM/DD/YY\")", "03/09/26"),
        ("date(\"2026-12-24\", \"EEEE, D. MMMM\")", "Donnerstag, 24. Dezember"),
        ("add_days(\"2026-02-27\", 3)", "2026-03-02"),
        ("days_between(\"2026-02-27\", \"2026-03-02\")", "3"),
        ("time(\"HH:mm\")", "14:05"),
        ("valid_date(\"02/30/26\", \"MM/DD/YY\")", "false"),
        ("iso_date(\"03/09/26\", \"MM/DD/YY\")", "2026-03-09"),
        ("language() + locale()", "dede-DE"),
        ("rtl() || dark() || landscape() || wide() || online()", "false"),
        ("font_scale()", "1.3"),
        ("api()", "34"),
        ("granted(\"android.permission.CAMERA\") && !granted(\"android.permission.RECORD_AUDIO\")", "true"),
        ("has_location() && round(latitude()) == 53 && round(longitude()) == 13", "true"),
        ("round(distance_km(latitude(), longitude(), 48.8566, 2.3522))", "877"),
        ("bug(\"fee_twice\") && !bug(\"slow\")", "true"),
        ("variant(\"layout\")", "b"),
        ("version()", "2.10"),
        ("version_at_least(\"2.9\") && !version_at_least(\"3\")", "true"),
    ] {
        let value = value_of(source).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(value.to_string(), expected, "{source}");
    }
}

#[test]
fn what_cannot_be_is_an_error_that_says_what_is_known() {
    for (source, said) in [
        ("with([1], 5, 2)", "the array has 1"),
        ("bug(\"typo\")", "fee_twice, slow"),
        ("variant(\"typo\")", "layout"),
        ("date(\"tomorrow\", \"D\")", "2026-03-09"),
        ("matches(\"a\", \"[\")", "matches()"),
        ("range(0, 100000)", "4096"),
        ("sleep(10)", "delay"),
        ("sum([\"a\"])", "no number"),
        ("timestamp()", "not found"),
    ] {
        let error = value_of(source).expect_err(source).to_string();
        assert!(error.contains(said), "{source}: {error}");
    }
}

#[test]
fn chance_is_reproducible_and_refused_while_drawing() {
    let draws = |expressions: &Expressions| -> Vec<String> {
        let draw = |source: &str| expressions.value(source, &mut Scope::new()).expect("a value").to_string();
        vec![draw("random(1000)"), draw("pick(range(0, 1000))"), draw("shuffled(range(0, 9))"), draw("chance(0.5)")]
    };
    let expressions = || Expressions::new(World::new(facts()), Arc::default());
    assert_eq!(draws(&expressions()), draws(&expressions()));
    let expressions = expressions();
    expressions.world().facts().drawing = true;
    let before = expressions.world().facts().generator;
    let error = expressions.value("random(6)", &mut Scope::new()).expect_err("not while drawing").to_string();
    assert!(error.contains("on_open"), "{error}");
    assert_eq!(expressions.world().facts().generator, before);
}

#[test]
fn an_unknown_variable_is_refused_when_compiled() {
    let mut scope = Scope::new();
    scope.push("known", 1_i64);
    let expressions = Expressions::new(World::default(), Arc::default());
    assert!(expressions.compile("known + 1", &scope).is_ok());
    assert!(expressions.compile("unknown + 1", &scope).is_err());
}

#[test]
fn an_endless_loop_ends_with_an_error() {
    assert!(value_of("{ loop { } }").is_err());
    assert!(value_of("eval(\"1\")").is_err());
}

#[test]
fn the_word_with_is_rewritten_outside_texts_only() {
    assert_eq!(rewritten("with(a, 1, 2)"), "with_value(a, 1, 2)");
    assert_eq!(rewritten("\"with(\" + without(a, 0)"), "\"with(\" + without(a, 0)");
    assert_eq!(rewritten("a.with (1, 2)"), "a.with_value (1, 2)");
}

#[test]
fn values_survive_being_kept() {
    let kept = serde_json::json!({"a": [1, 2.5, true, "x", null]});
    assert_eq!(json(&dynamic(&kept)), kept);
}

//! App files made into others, and what is left as it is.

use super::*;
use crate::virtual_device::app::AppFile;

const APP: &str = r#"package: org.example.shop
label: Shop
state:
  products:
    - {id: p1, name: Pear, price: 10}
    - {id: p2, name: Plum, price: 10}
    - {id: p3, name: Quince, price: 30}
    - {id: p4, name: Medlar, price: 10}
    - {id: p5, name: Sloe, price: 20}
  steps: [{name: a}, {name: b}, {name: c}]
  shown: 1
versions:
  "2.0": {ids: {buy: purchase}}
screens:
  - id: home
    title: Shop
    body:
      - text: {text: "{{ steps[0].name }}", visible: shown == 1}
      - list: {id: shelf, items: products, item: [{text: {text: "{{ item.name }}"}}]}
      - button: {id: buy, text: Buy, on_tap: [{delay: {ms: [100, 9000], then: [{set: {shown: "2"}}]}}]}
"#;

fn reshape(shape: &Reshape, seed: u64) -> (Value, Vec<Change>) {
    let lots = |purpose: &str| Lots::new(seed, purpose);
    let apps = [(PathBuf::from("shop.app.yaml"), APP.to_owned())];
    let (files, changes) = reshaped(&apps, shape, &lots, &Material::bundled().unwrap()).unwrap();
    AppFile::load("shop.app.yaml", &files[0].1).unwrap();
    (serde_json::from_str(&files[0].1).unwrap(), changes.into_iter().collect())
}

const NOTHING: Reshape = Reshape { ids: false, order: false, rows: false, offer: false, slower: None };

fn names(app: &Value, table: &str) -> Vec<String> {
    app["state"][table].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn ids_get_names_that_say_nothing_in_all_versions() {
    let (app, changes) = reshape(&Reshape { ids: true, ..NOTHING }, 1);
    assert_eq!(changes, [Change::Ids]);
    let id = app["screens"][0]["body"][2]["button"]["id"].as_str().unwrap();
    assert!(!id.contains("buy") && id.starts_with('x'), "{id}");
    assert_eq!(app["versions"]["2.0"]["ids"][id], "purchase", "{app:#}");
    assert_eq!((app["screens"][0]["id"].as_str(), &app["state"]["products"][0]["id"]), (Some("home"), &json!("p1")));
}

#[test]
fn rows_change_places_and_others_join_them_unless_the_app_speaks_of_places() {
    let (app, changes) = reshape(&Reshape { order: true, rows: true, ..NOTHING }, 3);
    assert_eq!(changes, [Change::Order, Change::Rows]);
    let all = names(&app, "products");
    assert!(all.len() > 5 && all != ["Pear", "Plum", "Quince", "Medlar", "Sloe"], "{all:?}");
    for name in ["Pear", "Plum", "Quince", "Medlar", "Sloe"] {
        assert_eq!(all.iter().filter(|other| *other == name).count(), 1, "{all:?}");
    }
    let keys: BTreeSet<&str> =
        app["state"]["products"].as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap()).collect();
    assert_eq!(keys.len(), all.len(), "every row has a key of its own");
    assert_eq!(names(&app, "steps"), ["a", "b", "c"], "the app speaks of steps[0]");
}

#[test]
fn answers_are_later_but_not_for_ever_and_a_window_comes_once() {
    let (app, changes) = reshape(&Reshape { slower: Some(3), offer: true, ..NOTHING }, 1);
    assert_eq!(changes, [Change::Offer, Change::Slower]);
    assert_eq!(app["screens"][0]["body"][2]["button"]["on_tap"][0]["delay"]["ms"], json!([300, 13_000]));
    assert_eq!(app["dialogs"][0]["id"], OFFERED);
    assert!(app["screens"][0]["on_open"].to_string().contains(OFFERED), "{app:#}");
}

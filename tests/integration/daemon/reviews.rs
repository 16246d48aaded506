//! What people make of runs, over HTTP.

use super::fake_launcher::Behaviour::{FailsUntil, Steps};
use super::nights::{ask, daemon, ended};
use reqwest::Method;
use serde_json::{Value, json};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_ended_is_approved_or_a_defect_and_its_night_knows() {
    let daemon = daemon(&["p1"], &[("A", Steps(1)), ("B", FailsUntil(9))], vec![]).await;
    let waiting = daemon.submit("A").await;
    let path = |id: &str| format!("runs/{id}/review");
    let defect = json!({"decision": "defect", "link": "https://bugs.example/7", "comment": "the total's <b>wrong"});
    let (status, problem) = ask(&daemon, Method::POST, &path(waiting.as_str()), Some(defect.clone())).await;
    assert_eq!((status, &problem["code"]), (409, &json!("not_ended")));
    daemon.launcher.let_end("A", 9);
    daemon.end_of(&waiting).await;

    let (_, batch) = ask(&daemon, Method::POST, "batches", Some(json!({"name": "n", "cases": ["B"]}))).await;
    let night = batch["batch_id"].as_str().unwrap();
    let view = ended(&daemon, night).await;
    let run = view["cells"][0]["runs"][0].as_str().unwrap();
    let script = json!({"decision": "approved", "link": "javascript:alert(1)"});
    let (status, problem) = ask(&daemon, Method::POST, &path(run), Some(script)).await;
    assert_eq!((status, &problem["errors"][0]["pointer"]), (400, &json!("/link")));
    let (status, _) = ask(&daemon, Method::POST, &path(run), Some(json!({"decision": "perhaps"}))).await;
    assert_eq!(status, 400);
    let (status, review) = ask(&daemon, Method::POST, &path(run), Some(defect)).await;
    assert_eq!((status, &review["person"], &review["decision"]), (200, &json!("local"), &json!("defect")));
    let (_, shown) = ask(&daemon, Method::GET, &format!("runs/{run}"), None).await;
    assert_eq!(shown["review"], review);
    let (_, shown) = ask(&daemon, Method::GET, &format!("batches/{night}"), None).await;
    assert_eq!(shown["reviews"], json!([review]));

    let withdraw = format!("{}/withdraw", path(run));
    assert_eq!(ask(&daemon, Method::POST, &withdraw, Some(Value::Null)).await.0, 204);
    assert_eq!(ask(&daemon, Method::POST, &withdraw, Some(Value::Null)).await.0, 404);
    let (_, shown) = ask(&daemon, Method::GET, &format!("runs/{run}"), None).await;
    assert_eq!(shown.get("review"), None);
    daemon.stop().await;
}

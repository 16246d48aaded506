//! The description of the API holds: what it promises is what is answered.

use super::fake_launcher::Behaviour::Steps;
use super::test_daemon::{TestDaemon, within};
use serde_json::Value;

#[tokio::test]
async fn every_described_get_without_an_id_answers_as_described_and_every_other_path_in_problem_details() {
    let daemon = TestDaemon::start(&["d1"], &[("A", Steps(1))]).await;
    let description: Value = within(daemon.http.get(format!("{}/api/v1/openapi.json", daemon.url)).send())
        .await
        .unwrap()
        .json()
        .await
        .unwrap();
    let paths = description["paths"].as_object().unwrap();
    assert!(paths.len() > 30, "{}", paths.len());
    for (path, methods) in paths {
        for (method, operation) in methods.as_object().unwrap() {
            let url = format!("{}{}", daemon.url, path.replace(['{', '}'], "~"));
            let request = daemon.http.request(method.to_uppercase().parse().unwrap(), url);
            // What no operation has is refused, by problem details; what is described without an id is answered.
            let request =
                if method == "get" { request } else { request.header("content-type", "application/json").body("]") };
            let response = within(request.send()).await.unwrap();
            let status = response.status();
            let kind = response.headers().get("content-type").map(|kind| kind.to_str().unwrap().to_owned());
            let kind = kind.unwrap_or_default();
            let promised = &operation["responses"][status.as_str()];
            if status.is_success() {
                let content = promised["content"].as_object();
                let fits =
                    content.is_none_or(|content| content.keys().any(|promised| kind.starts_with(promised.as_str())));
                assert!(promised.is_object() && fits, "{method} {path}: {status} {kind}");
            } else {
                assert!(
                    status.is_client_error() && kind == "application/problem+json",
                    "{method} {path}: {status} {kind}"
                );
                let problem: Value = response.json().await.unwrap();
                assert!(problem["detail"].as_str().is_some_and(|text| !text.is_empty()), "{method} {path}: {problem}");
                assert!(
                    path.contains('{') || method != "get" || problem["code"] == "no_workspace",
                    "{method} {path}: {problem}"
                );
            }
        }
    }
    daemon.stop().await;
}

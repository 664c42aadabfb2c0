use std::{env, time::Duration};

use http::Extensions;
use reqwest::{Request, Response};
use reqwest_middleware::{ClientBuilder, Middleware, Next, Result};

/// reqwest-retry's policies do not see the response, so they cannot wait for `Retry-After`.
struct RetryByHeader;

#[async_trait::async_trait]
impl Middleware for RetryByHeader {
    async fn handle(&self, request: Request, extensions: &mut Extensions, next: Next<'_>) -> Result<Response> {
        for attempt in 0.. {
            let copy = request.try_clone().expect("the body is no stream");
            let result = next.clone().run(copy, extensions).await;
            let pause = match &result {
                Ok(response) => pause_after(response),
                Err(_) => Some(2),
            };
            match pause {
                Some(seconds) if attempt < 4 => tokio::time::sleep(Duration::from_secs(seconds << attempt)).await,
                _ => return result,
            }
        }
        unreachable!()
    }
}

fn pause_after(response: &Response) -> Option<u64> {
    match response.headers().get("retry-after") {
        Some(value) => value.to_str().ok()?.parse().ok(),
        None if response.status().is_server_error() || response.status() == 429 => Some(2),
        None => None,
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let client = reqwest::Client::builder().timeout(Duration::from_secs(10)).build()?;
    let client = ClientBuilder::new(client).with(RetryByHeader).build();
    let response = client
        .post(env::var("BASE_URL").unwrap() + "/plants")
        .bearer_auth(env::var("PLANT_STORE_TOKEN").unwrap())
        .json(&serde_json::json!({ "id": 9007199254740993_i64, "name": "Fern" }))
        .send()
        .await?;
    let content: serde_json::Value = response.json().await?;
    match content["name"].as_str() {
        Some(name) => println!("{name}"),
        None => println!("{}", content["error"]),
    }
    Ok(())
}

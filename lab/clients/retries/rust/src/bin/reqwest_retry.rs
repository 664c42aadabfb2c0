use std::{env, time::Duration};

use reqwest::Response;
use reqwest_middleware::{ClientBuilder, Error, Result};
use reqwest_retry::{
    Jitter, RetryTransientMiddleware, Retryable, RetryableStrategy, default_on_request_failure,
    default_on_request_success, policies::ExponentialBackoff,
};

struct ByRetryAfter;

impl RetryableStrategy for ByRetryAfter {
    fn handle(&self, result: &std::result::Result<Response, Error>) -> Option<Retryable> {
        match result {
            Ok(response) if response.headers().contains_key("retry-after") => Some(Retryable::Transient),
            Ok(response) => default_on_request_success(response),
            Err(error) => default_on_request_failure(error),
        }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    // The policy does not see the response. 2 s are the longest Retry-After of the service itself.
    let policy = ExponentialBackoff::builder()
        .retry_bounds(Duration::from_secs(2), Duration::from_secs(30))
        .jitter(Jitter::None)
        .build_with_max_retries(4);
    let client = reqwest::Client::builder().timeout(Duration::from_secs(10)).build()?;
    let client = ClientBuilder::new(client)
        .with(RetryTransientMiddleware::new_with_policy_and_strategy(policy, ByRetryAfter))
        .build();
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

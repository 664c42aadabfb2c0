import os

import httpx
from tenacity import RetryCallState, retry, retry_if_exception_type, retry_if_result, stop_after_attempt


def is_retryable(response: httpx.Response) -> bool:
    return "Retry-After" in response.headers or response.status_code == 429 or response.status_code >= 500


def pause(state: RetryCallState) -> float:
    headers = {} if state.outcome.failed else state.outcome.result().headers
    return float(headers.get("Retry-After", 2)) * 2 ** (state.attempt_number - 1)


@retry(
    retry=retry_if_exception_type(httpx.TransportError) | retry_if_result(is_retryable),
    wait=pause,
    stop=stop_after_attempt(5),
    # Without this, a RetryError takes the place of the last response.
    retry_error_callback=lambda state: state.outcome.result(),
)
def create(plant: dict) -> httpx.Response:
    return client.post("/plants", json=plant)


headers = {"Authorization": "Bearer " + os.environ["PLANT_STORE_TOKEN"]}
with httpx.Client(base_url=os.environ["BASE_URL"], headers=headers, timeout=10) as client:
    response = create({"id": 9007199254740993, "name": "Fern"})
    print(response.json()["name" if response.is_success else "error"])

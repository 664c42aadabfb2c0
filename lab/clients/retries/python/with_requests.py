import os

import requests
from requests.adapters import HTTPAdapter
from urllib3 import Retry


class ByRetryAfter(Retry):
    RETRY_AFTER_STATUS_CODES = frozenset({400, 429, 503})


session = requests.Session()
retries = ByRetryAfter(
    total=4, allowed_methods={"POST"}, status_forcelist={429, 500, 502, 503, 504}, raise_on_status=False, backoff_factor=2
)
session.mount(os.environ["BASE_URL"], HTTPAdapter(max_retries=retries))
session.headers["Authorization"] = "Bearer " + os.environ["PLANT_STORE_TOKEN"]

plant = {"id": 9007199254740993, "name": "Fern"}
response = session.post(os.environ["BASE_URL"] + "/plants", json=plant, timeout=10)
print(response.json()["name" if response.ok else "error"])

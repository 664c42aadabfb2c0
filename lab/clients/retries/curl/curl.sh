# Each response is written, so the last one counts.
curl --silent --max-time 10 --retry 4 --retry-all-errors --fail-with-body "$BASE_URL/plants" \
  -H "Authorization: Bearer $PLANT_STORE_TOKEN" -H 'Content-Type: application/json' \
  -d '{"id":9007199254740993,"name":"Fern"}' | grep -Eo '"name":"Fern"|"error":[0-9]+' | tail -n 1 | grep -Eo 'Fern|[0-9]+'

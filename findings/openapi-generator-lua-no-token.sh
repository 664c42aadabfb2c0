#!/usr/bin/env bash
# openapi-generator 7.25.0, -g lua (Maven Central: org.openapitools:openapi-generator-cli).
#
# Guess: a client of an API with the scheme bearer sends the field access_token that the generated object has.
# Seen:  it sends no header authorization, so that every request is refused. With a scheme of type oauth2 it sends "Bearer TOKEN". The generator ends
#        with 0 for both. What the client sends is seen through stand-ins for the modules of Lua that it loads.
# Needs: Java from 11, Maven, lua5.4 of Debian 12.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mvn --batch-mode --quiet dependency:copy -Dartifact=org.openapitools:openapi-generator-cli:7.25.0 -DoutputDirectory=. > log
cat > main.lua <<'LUA'
local sent = {}
local request = { headers = { upsert = function(_, name, value) sent[name] = value end }, go = function() sent.went = "sent" return nil, "no network" end }
package.loaded["http.request"] = { new_from_uri = function() return request end }
package.loaded["http.util"] = { split_authority = function() return "localhost", 80 end }
package.loaded["dkjson"] = {}
package.loaded["basexx"] = {}
local api = require("openapiclient.api.default_api").new("localhost", "", { "http" })
api.access_token = "TOKEN"
api:get_things()
print(sent.went, sent.authorization)
LUA
# Prints what a client sends. $1: security scheme.
sent() {
  cat > api.yaml <<YAML
openapi: 3.0.3
info: { title: Things, version: 1.0.0 }
security: [{ token: [] }]
paths:
  /things: { get: { operationId: getThings, responses: { '200': { description: Things. } } } }
components: { securitySchemes: { token: $1 } }
YAML
  rm -rf out && java -jar openapi-generator-cli-7.25.0.jar generate -g lua -i api.yaml -o out > log 2>&1
  (cd out && lua5.4 ../main.lua)
}
expect() { [ "$1" = "$2" ] || { echo "Changed: expected '$1', got '$2'"; exit 1; }; }
expect $'sent\tnil' "$(sent '{ type: http, scheme: bearer }')"
expect $'sent\tBearer TOKEN' "$(sent "{ type: oauth2, flows: { clientCredentials: { tokenUrl: 'http://localhost/token', scopes: {} } } }")"
echo 'As found: openapi-generator 7.25.0 -g lua sends no token of the scheme bearer.'

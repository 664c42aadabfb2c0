#!/usr/bin/env bash
# Tool: Keycloak 26.7.3 (Maven: keycloak-quarkus-dist), in its development mode
# Behavior: a realm's issuer is the address that the client has asked. One server, asked at 127.0.0.1 and at localhost, signs tokens
#   of two issuers with one key, and each address has metadata of its own. A verifier that compares `iss` accepts one of them.
# Guess, written down before: a realm has one issuer, whichever of the server's addresses a client asks.
# Output seen: see EXPECTED below.
# Mend: the option hostname, with a whole address. The last two lines of EXPECTED are with it.
# Needs: a JDK from 17, Maven, curl, Node from 20 (to read JSON).
set -euo pipefail
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$folder"' EXIT
cd "$folder"
EXPECTED='asked at 127.0.0.1: iss http://127.0.0.1:PORT/realms/master; metadata http://127.0.0.1:PORT/realms/master
asked at localhost: iss http://localhost:PORT/realms/master; metadata http://localhost:PORT/realms/master
with hostname, asked at 127.0.0.1: iss https://login.example.com/realms/master; metadata https://login.example.com/realms/master
with hostname, asked at localhost: iss https://login.example.com/realms/master; metadata https://login.example.com/realms/master'

mvn --batch-mode --quiet dependency:copy \
  -Dartifact=org.keycloak:keycloak-quarkus-dist:26.7.3:tar.gz -DoutputDirectory=.
tar --extract --strip-components=1 --file=keycloak-quarkus-dist-26.7.3.tar.gz
port=$(node -e 'const server = net.createServer().listen(0, "127.0.0.1", () => {
  console.log(server.address().port);
  server.close();
})')
export KC_BOOTSTRAP_ADMIN_USERNAME=admin KC_BOOTSTRAP_ADMIN_PASSWORD
KC_BOOTSTRAP_ADMIN_PASSWORD=$(node -p 'crypto.randomUUID()')

# Starts Keycloak, and asks it at two addresses for a token and for its metadata. Arguments: what to print first, and options.
try() {
  bin/kc.sh start-dev --http-host=127.0.0.1 --http-port="$port" --cache=local "${@:2}" > server.log 2>&1 &
  server=$!
  for _ in $(seq 600); do
    curl --silent --fail --output metadata.json "http://127.0.0.1:$port/realms/master/.well-known/openid-configuration" && break
    sleep 1
  done
  for host in 127.0.0.1 localhost; do
    realm="http://$host:$port/realms/master"
    printf %s "$KC_BOOTSTRAP_ADMIN_PASSWORD" | curl --silent --ipv4 "$realm/protocol/openid-connect/token" -d grant_type=password \
      -d client_id=admin-cli -d username=admin --data-urlencode password@- > token.json
    curl --silent --ipv4 "$realm/.well-known/openid-configuration" > metadata.json
    node -e '
      const [token, metadata] = ["token", "metadata"].map((name) => JSON.parse(fs.readFileSync(`${name}.json`)));
      const { iss } = JSON.parse(Buffer.from(token.access_token.split(".")[1], "base64url"));
      const line = `${process.argv[1]}asked at ${process.argv[2]}: iss ${iss}; metadata ${metadata.issuer}`;
      console.log(line.replaceAll(`:${process.argv[3]}`, ":PORT"));
    ' "$1" "$host" "$port"
  done
  kill "$server"
  wait "$server" || true
  server=
}

{
  try ''
  try 'with hostname, ' --hostname=https://login.example.com
} > output.txt
cat output.txt
[ "$(cat output.txt)" = "$EXPECTED" ] || { echo 'CHANGED: the output is not the one above, in EXPECTED.' >&2; exit 1; }

#!/usr/bin/env bash
# BullMQ 6.7.0 (npm), jobs over Redis, with ioredis 6.0.0.
#
# Guess: a job may have the number of a thing as its id, so that the thing has one job; or it may not.
# Seen:  it depends on the number. "Custom Id cannot be integers" is said of '503' and of '9007199254740992', but '9007199254740993' is
#        accepted: the test compares the text with what parseInt makes of it, which rounds. '007' is accepted, too.
# Needs: Node from 20, npm, and redis-server of Debian 12.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill $redis 2> /dev/null; wait; rm -rf "$folder"' EXIT
cd "$folder"
if ! command -v redis-server > /dev/null; then
  echo 'Install it first: apt-get install --no-install-recommends redis-server, of Debian 12'
  exit 1
fi
redis-server --port 0 --unixsocket "$folder/redis" --save '' > log &
redis=$!
npm install --silent --no-audit --no-fund --ignore-scripts bullmq@6.7.0 ioredis@6.0.0
cat > add.mjs <<'JS'
import { Queue } from 'bullmq';
const queue = new Queue('things', { connection: { path: process.argv[2] } });
for (const jobId of process.argv.slice(3)) {
  const { id } = await queue.add('create', {}, { jobId }).catch(({ message }) => ({ id: message }));
  console.log(`${jobId}: ${id}`);
}
await queue.close();
JS
EXPECTED='503: Custom Id cannot be integers
9007199254740992: Custom Id cannot be integers
9007199254740993: 9007199254740993
9223372036854775807: 9223372036854775807
007: 007'
seen=$(node add.mjs "$folder/redis" 503 9007199254740992 9007199254740993 9223372036854775807 007)
[ "$seen" = "$EXPECTED" ] || { echo "Changed: $seen"; exit 1; }
echo 'As found: BullMQ 6.7.0 takes some integers as ids of jobs.'

#!/usr/bin/env bash
# aws-cdk 2.1148.1 and @aws-sdk/credential-provider-node 3.972.97 (npm), in one shell.
#
# Guess: the CDK is made with the SDK for JavaScript, so both use the same credentials if AWS_PROFILE and a pair of keys are set.
# Seen:  the SDK takes the profile, with a warning. The CDK takes the keys, and says nothing.
# Also:  the CDK reads each of its options from a variable, too: with CDK_PROFILE, it takes the profile before the keys.
set -euo pipefail
cd "$(mktemp -d)"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund aws-cdk@2.1148.1 @aws-sdk/credential-provider-node@3.972.97

# In place of STS: the account of each access key, on loopback.
cat > sts.cjs <<'STS'
const server = require('node:http').createServer((request, response) => {
  const account = /Credential=KEYS/.test(request.headers.authorization) ? '111122223333' : '444455556666';
  const result = `<Account>${account}</Account><Arn>any</Arn>`;
  response.end(`<GetCallerIdentityResponse><GetCallerIdentityResult>${result}</GetCallerIdentityResult></GetCallerIdentityResponse>`);
});
server.listen(0, '127.0.0.1', () => require('node:fs').writeFileSync('port', String(server.address().port)));
STS
node sts.cjs & trap "kill $!" EXIT
until [ -s port ]; do sleep 0.1; done

printf '[profile work]\naws_access_key_id = PROFILE\naws_secret_access_key = any\n' > config
printf '#!/bin/sh\necho "$CDK_DEFAULT_ACCOUNT" > account\nexit 1\n' > app && chmod +x app
export HOME=$PWD AWS_ENDPOINT_URL=http://127.0.0.1:$(cat port) AWS_REGION=eu-west-1 AWS_CONFIG_FILE=$PWD/config
export AWS_PROFILE=work AWS_ACCESS_KEY_ID=KEYS AWS_SECRET_ACCESS_KEY=any

account_of_cdk() { npx cdk ls --app ./app > /dev/null 2>&1 || cat account; }
sdk='require("@aws-sdk/credential-provider-node").defaultProvider()().then((found) => console.log(found.accessKeyId))'
expect() { [ "$1" = "$2" ] || { echo "Changed: expected '$1', got '$2'"; exit 1; }; }
expect PROFILE "$(node -e "$sdk" 2> warning)"
grep -q 'Multiple credential sources detected' warning || { echo 'Changed: no warning'; exit 1; }
expect 111122223333 "$(account_of_cdk)"
expect 444455556666 "$(CDK_PROFILE=work account_of_cdk)"
echo 'As found: the CDK takes the keys, the SDK the profile.'

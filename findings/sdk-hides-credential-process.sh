#!/usr/bin/env bash
# @aws-sdk/credential-provider-node 3.972.97 (npm), the SDK's default source of credentials.
#
# Guess: if the credential_process of the profile in AWS_PROFILE fails, or the profile is not there, the error says so.
# Seen:  both are "Could not load credentials from any providers". The SDK goes on to its last source: on a machine with a role of its
#        own, that role would be used. @aws-sdk/credential-provider-ini, asked alone, says what has failed.
# Also:  a profile whose sso_session is not in the file is a TypeError, "Cannot read properties of undefined (reading 'sso_region')".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund @aws-sdk/credential-provider-node@3.972.97 @aws-sdk/credential-provider-ini@3.973.30

printf '[profile work]\ncredential_process = sh -c "echo the vault is locked >&2; exit 3"\n[profile lost]\nsso_session = gone\n' > config
export HOME=$PWD AWS_CONFIG_FILE=$PWD/config AWS_EC2_METADATA_DISABLED=true
unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_WEB_IDENTITY_TOKEN_FILE

error_of() { AWS_PROFILE=$1 node -e "$2.catch((error) => console.log(error.message))"; }
whole='require("@aws-sdk/credential-provider-node").defaultProvider()()'
profile='require("@aws-sdk/credential-provider-ini").fromIni()()'
expect() { case "$2" in *"$1"*) ;; *) echo "Changed: expected '$1', got '$2'"; exit 1 ;; esac; }
expect 'Could not load credentials from any providers' "$(error_of work "$whole")"
expect 'Could not load credentials from any providers' "$(error_of typo "$whole")"
expect 'the vault is locked' "$(error_of work "$profile")"
expect "reading 'sso_region'" "$(error_of lost "$whole")"
echo 'As found: the SDK hides why the credentials of a profile fail.'

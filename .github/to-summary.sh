#!/usr/bin/env bash
# COMMAND | .github/to-summary.sh TITLE: prints what the command prints, and shows it on the page of the run, where people approve.
set -euo pipefail

text=$(tee /dev/stderr)
# As code: with four spaces, no text can end it.
{ printf '## %s\n\n' "${1:?the title}"; sed 's/^/    /' <<< "$text"; printf '\n'; } >> "$GITHUB_STEP_SUMMARY"

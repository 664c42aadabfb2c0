#!/usr/bin/env bash
# .github/may-deploy.sh STAGE: refuses to deploy a protected stage, which is also the name of an environment on GitHub, that nobody has
# to approve, or of which GitHub does not say so. Needs gh with GH_TOKEN (actions: read) and jq. The order of commits is the guard's.
set -euo pipefail

stage=${1:?the name of the stage}
protected=$(node_modules/.bin/node -e '
  import("./infra/find-stage.ts").then(({ findStage }) => console.log(findStage(process.argv[1]).isProtected))' "$stage")
if [ "$protected" = false ]; then
  echo "$stage is not protected, so nobody has to approve."
  exit
fi

# A job whose environment has no required reviewers starts at once, and in a private repository only GitHub Enterprise has them
# (GitHub, "Deployments and environments"). DEPLOY_WITHOUT_APPROVAL names a stage that may be deployed nevertheless.
# GitHub REST API, "Get an environment".
# A response of nothing would pass any filter of jq.
reviewers=$(gh api "repos/$GITHUB_REPOSITORY/environments/$stage" | jq --slurp --arg stage "$stage" '
  if length == 1 then .[0] else error("not one response") end
  | if .name != $stage then error("this is not the environment") else . end
  | [(.protection_rules // [])[] | select(.type == "required_reviewers") | .reviewers[]] | length')
if [ "$reviewers" -gt 0 ]; then
  echo "$stage has required reviewers."
elif [ "${DEPLOY_WITHOUT_APPROVAL:-}" = "$stage" ]; then
  echo "$stage has no required reviewers, which DEPLOY_WITHOUT_APPROVAL allows."
else
  echo "The environment $stage has no required reviewers, so nobody had to approve this deployment. Add them, or set the variable DEPLOY_WITHOUT_APPROVAL to $stage if that is wanted (docs/github-workflow.md, step 2)." >&2
  exit 1
fi

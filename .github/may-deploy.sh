#!/usr/bin/env bash
# What the workflow asks before it deploys a stage, which is also the name of an environment on GitHub:
#   .github/may-deploy.sh approval STAGE   refuses a protected stage that nobody has to approve
#   .github/may-deploy.sh order STAGE      refuses a commit that does not contain the deployed one
# Both refuse what GitHub does not say. They need gh with GH_TOKEN (actions: read, deployments: read), jq, and all commits.
set -euo pipefail

refuse() {
  echo "$1" >&2
  exit 1
}

# Judges the response on standard input by a filter of jq. A response of nothing would pass any filter.
judge() {
  local filter=$1
  shift
  jq --slurp --raw-output "$@" "if length == 1 then .[0] else error(\"not one response\") end | $filter"
}

# A job whose environment has no required reviewers starts at once, and in a private repository only GitHub Enterprise has them
# (GitHub, "Deployments and environments"). DEPLOY_WITHOUT_APPROVAL names a stage that may be deployed nevertheless.
approval() {
  local stage=$1 protected reviewers
  protected=$(node_modules/.bin/node -e '
    import("./infra/stages.ts").then(({ findStage }) => console.log(findStage(process.argv[1]).isProtected))' "$stage")
  if [ "$protected" = false ]; then
    echo "$stage is not protected, so nobody has to approve."
    return
  fi
  # GitHub REST API, "Get an environment".
  reviewers=$(gh api "repos/$GITHUB_REPOSITORY/environments/$stage" | judge '
    if .name != $stage then error("this is not the environment") else . end
    | [(.protection_rules // [])[] | select(.type == "required_reviewers") | .reviewers[]] | length' --arg stage "$stage")
  if [ "$reviewers" -gt 0 ]; then
    echo "$stage has required reviewers."
  elif [ "${DEPLOY_WITHOUT_APPROVAL:-}" = "$stage" ]; then
    echo "$stage has no required reviewers, which DEPLOY_WITHOUT_APPROVAL allows."
  else
    refuse "The environment $stage has no required reviewers, so nobody had to approve this deployment. Add them, or set the variable DEPLOY_WITHOUT_APPROVAL to $stage if that is wanted (docs/first-deployment.md, step 21)."
  fi
}

# At most 100 jobs can wait in a queue and be overtaken by a later one (GitHub, "concurrency").
DEPLOYMENTS='query ($owner: String!, $name: String!, $environment: String!) {
  repository(owner: $owner, name: $name) {
    deployments(environments: [$environment], first: 100, orderBy: { field: CREATED_AT, direction: DESC }) {
      nodes { databaseId commitOid statuses(first: 100) { nodes { state createdAt } pageInfo { hasNextPage } } }
    }
  }
}'

# The jobs of other commits that have started, the last one first, up to the last success: a failed one may have deployed too.
# Jobs that were rejected or cancelled, or still wait, have not started.
STARTED='
  if has("errors") then error(.errors | tostring) else .data.repository.deployments.nodes end
  | map(
      if .statuses.pageInfo.hasNextPage == false then . else error("more than 100 statuses") end
      | { id: .databaseId, commit: .commitOid,
          begun: [.statuses.nodes[] | select(.state == "IN_PROGRESS" or .state == "SUCCESS")] }
      | select(.begun != [])
      | .at = ([.begun[].createdAt] | min)
      | .succeeded = any(.begun[]; .state == "SUCCESS")
      | if (.commit | test("\\A[0-9a-f]{40,64}\\z")) and (.at | test("\\A[-0-9T:.Z]+\\z")) and (.id | type == "number")
        then . else error("a deployment of another shape") end)
  | sort_by(.at) | reverse
  | .[: (map(.succeeded) | index(true) // length) + 1]
  | map(select(.commit != $commit) | "\(.commit) \(.at) \(.id)") | join("\n")'

# GitHub records a deployment for each job with an environment.
order() {
  local stage=$1 commit started other at id
  commit=$(git rev-parse --verify HEAD)
  started=$(gh api graphql -f query="$DEPLOYMENTS" -f owner="${GITHUB_REPOSITORY%/*}" -f name="${GITHUB_REPOSITORY#*/}" \
    -f environment="$stage" | judge "$STARTED" --arg commit "$commit")
  if [ -z "$started" ]; then
    echo "GitHub knows of no deployment of another commit to $stage."
    return
  fi
  while read -r other at id; do
    # It also fails for a commit that is not in this copy, as after main was rewritten.
    git merge-base --is-ancestor "$other" "$commit" ||
      refuse "${commit:0:7} does not contain ${other:0:7}, whose deployment to $stage began at $at. Deploy a newer commit. If main was rewritten, delete deployment $id (docs/first-deployment.md, step 22)."
  done <<< "$started"
  read -r other at id <<< "$started"
  echo "${commit:0:7} contains ${other:0:7}, whose deployment to $stage began at $at."
}

case "${1:-}" in
  approval | order) "$1" "${2:?the name of the stage}" ;;
  *) refuse 'usage: .github/may-deploy.sh approval|order STAGE' ;;
esac

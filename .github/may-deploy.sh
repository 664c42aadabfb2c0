#!/usr/bin/env bash
# What the workflow asks before it deploys a stage, which is also the name of an environment on GitHub:
#   .github/may-deploy.sh approval STAGE   refuses a protected stage that nobody has to approve
#   .github/may-deploy.sh order STAGE      refuses a commit that does not contain the deployed one
# Both refuse what GitHub or AWS does not say. The first needs gh with GH_TOKEN (actions: read) and jq, the second the AWS CLI with
# credentials (cloudformation:DescribeStackResource, lambda:GetAlias), and git with all commits.
set -euo pipefail

refuse() {
  echo "$1" >&2
  exit 1
}

# Prints a setting of a stage of the stage file, or nothing.
setting() {
  node_modules/.bin/node -e '
    import("./infra/find-stage.ts").then(({ findStage }) => console.log(findStage(process.argv[1])[process.argv[2]] ?? ""))' "$1" "$2"
}

# A job whose environment has no required reviewers starts at once, and in a private repository only GitHub Enterprise has them
# (GitHub, "Deployments and environments"). DEPLOY_WITHOUT_APPROVAL names a stage that may be deployed nevertheless.
approval() {
  local stage=$1 protected reviewers
  protected=$(setting "$stage" isProtected)
  if [ "$protected" = false ]; then
    echo "$stage is not protected, so nobody has to approve."
    return
  fi
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
    refuse "The environment $stage has no required reviewers, so nobody had to approve this deployment. Add them, or set the variable DEPLOY_WITHOUT_APPROVAL to $stage if that is wanted (docs/github-workflow.md, step 2)."
  fi
}

# The deployed commit is in the description of the function's alias (infra/working-copy.ts), by whatever way it was deployed.
order() {
  local stage=$1 commit region name description deployed modified
  commit=$(git rev-parse --verify HEAD)
  region=$(setting "$stage" region)
  [ -z "$region" ] || export AWS_REGION=$region
  name=$(aws cloudformation describe-stack-resource --stack-name "PlantStore-$stage" --logical-resource-id Function \
    --query StackResourceDetail.PhysicalResourceId --output text)
  description=$(aws lambda get-alias --function-name "$name" --name live --query Description --output text)
  [[ $description =~ ^commit\ ([0-9a-f]{40})(, modified)?$ ]] ||
    refuse "The alias of $stage does not say which commit is deployed. Deploy this commit by hand, from a clone of the repository (docs/github-workflow.md, step 3)."
  deployed=${BASH_REMATCH[1]} modified=${BASH_REMATCH[2]}
  # It also fails for a commit that is not in this copy, as after main was rewritten.
  git merge-base --is-ancestor "$deployed" "$commit" ||
    refuse "${commit:0:7} does not contain ${deployed:0:7}, which is deployed to $stage. Deploy a newer commit. If ${deployed:0:7} is not on main, see docs/github-workflow.md, step 3."
  [ -z "$modified" ] ||
    echo "${deployed:0:7} was deployed to $stage with changes that were not committed. This deployment undoes them."
  echo "${commit:0:7} contains ${deployed:0:7}, which is deployed to $stage."
}

case "${1:-}" in
  approval | order) "$1" "${2:?the name of the stage}" ;;
  *) refuse 'usage: .github/may-deploy.sh approval|order STAGE' ;;
esac

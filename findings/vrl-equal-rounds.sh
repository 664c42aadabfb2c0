#!/usr/bin/env bash
# VRL 0.38.0 (crates.io: vrl), the language of Vector. Needs Cargo; it compiles for some minutes.
#
# Guess: two integers that differ are not equal.
# Seen:  == takes 9007199254740993 for 9007199254740992, because it compares doubles, so that an `if` over an id takes the other one's
#        branch. > tells them apart, == of two lists does, too, and the number itself keeps its digits.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "example"
version = "0.1.0"
edition = "2021"

[dependencies]
vrl = { version = "=0.38.0", default-features = false, features = ["compiler", "value"] }
TOML
cat > src/main.rs <<'RUST'
use std::collections::BTreeMap;
use vrl::compiler::{compile, state::RuntimeState, Context, TargetValue, TimeZone};
use vrl::value::{Secrets, Value};

fn main() {
    let program = compile(&std::env::args().nth(1).unwrap(), &[]).unwrap().program;
    let mut target = TargetValue {
        value: Value::from(BTreeMap::from([("id".into(), Value::Integer(9007199254740993))])),
        metadata: Value::Object(BTreeMap::new()),
        secrets: Secrets::new(),
    };
    let (mut state, time_zone) = (RuntimeState::default(), TimeZone::default());
    println!("{}", program.resolve(&mut Context::new(&mut target, &mut state, &time_zone)).unwrap());
}
RUST
cargo build --quiet 2> log || { tail -20 log; exit 1; }

run() { target/debug/example "$1"; }
expect() { [ "$1" = "$2" ] || { echo "Changed: expected '$1', got '$2'"; exit 1; }; }
expect 9007199254740993 "$(run .id)"
expect true "$(run '.id == 9007199254740992')"
expect '"other"' "$(run 'if .id == 9007199254740992 { "other" } else { "this" }')"
expect true "$(run '.id > 9007199254740992 ?? false')"
expect false "$(run '[.id] == [9007199254740992]')"
echo 'As found: == of VRL 0.38.0 takes two integers for one.'

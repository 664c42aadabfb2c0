#!/usr/bin/env bash
# Benthos 4.60.0 (Go: github.com/redpanda-data/benthos), the core of Redpanda Connect. Needs Go; it compiles for some minutes.
#
# Guess: an integer of JSON keeps its digits in a mapping, and two that differ are not equal, as its == says.
# Seen:  == tells 9007199254740992 from 9007199254740993, and match does not: the case of the one takes the other. contains and unique do
#        not, either, so unique drops a number that stands once. The numbers themselves keep their digits.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > main.go <<'GO'
package main

import (
	"fmt"
	"os"

	"github.com/redpanda-data/benthos/v4/public/bloblang"
	_ "github.com/redpanda-data/benthos/v4/public/components/pure"
	"github.com/redpanda-data/benthos/v4/public/service"
)

func main() {
	mapping, err := bloblang.Parse("root = " + os.Args[1])
	if err != nil {
		panic(err)
	}
	mapped, err := service.NewMessage([]byte(`{"id":9007199254740993}`)).BloblangQuery(mapping)
	if err != nil {
		panic(err)
	}
	written, err := mapped.AsBytes()
	if err != nil {
		panic(err)
	}
	fmt.Println(string(written))
}
GO
go mod init example > log 2>&1
go get github.com/redpanda-data/benthos/v4/public/service@v4.60.0 >> log 2>&1
go build -mod=mod -o mapped . >> log 2>&1

map() { ./mapped "$1"; }
expect() { [ "$1" = "$2" ] || { echo "Changed: expected '$1', got '$2'"; exit 1; }; }
expect 9007199254740993 "$(map 'this.id')"
expect false "$(map 'this.id == 9007199254740992')"
expect other "$(map 'match this.id { 9007199254740992 => "other", _ => "this" }')"
expect this "$(map 'match { this.id == 9007199254740992 => "other", _ => "this" }')"
expect true "$(map '[this.id].contains(9007199254740992)')"
expect '[9007199254740993]' "$(map '[this.id, 9007199254740992].unique()')"
echo 'As found: Benthos 4.60.0 takes two integers for one in match, contains and unique, and not in ==.'

#!/usr/bin/env bash
# yason 0.7.6 (Debian 12: cl-yason), JSON for Common Lisp, in SBCL 2.2.9.
#
# Guess: what it reads and writes again is the same value.
# Seen:  0.1 becomes 0.10000000149011612, because Common Lisp reads it as a single-float. false and [] are both NIL, which is written as null.
#        An integer keeps all its digits. With *read-default-float-format*, *parse-json-booleans-as-symbols* and
#        *parse-json-arrays-as-vectors* set, all three stay as they were.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export HOME=$folder
if ! command -v sbcl > /dev/null || ! [ -d /usr/share/common-lisp/source/yason ]; then
  echo 'Install it first: apt-get install --no-install-recommends sbcl cl-yason cl-alexandria cl-trivial-gray-streams, of Debian 12'
  exit 1
fi
cat > main.lisp <<'LISP'
(require :asdf)
(let ((*standard-output* (make-broadcast-stream)) (*error-output* (make-broadcast-stream)))
  (asdf:load-system :yason))
(defun again ()
  (yason:encode (yason:parse "{\"id\":9007199254740993,\"size\":0.1,\"on\":false,\"tags\":[]}"))
  (terpri))
(again)
(let ((*read-default-float-format* 'double-float)
      (yason:*parse-json-booleans-as-symbols* t)
      (yason:*parse-json-arrays-as-vectors* t))
  (again))
LISP
EXPECTED='{"id":9007199254740993,"size":0.10000000149011612,"on":null,"tags":null}
{"id":9007199254740993,"size":0.1,"on":false,"tags":[]}'
seen=$(sbcl --script main.lisp)
[ "$seen" = "$EXPECTED" ] || { echo "Changed: $seen"; exit 1; }
echo 'As found: yason 0.7.6 makes null of false and of an empty list.'

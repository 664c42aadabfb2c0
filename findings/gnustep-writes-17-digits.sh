#!/usr/bin/env bash
# GNUstep 1.28 (Debian 12: libgnustep-base-dev), NSJSONSerialization for Objective-C.
#
# Guess: a double that was read from 21.1 is written as 21.1, and an integer that it writes exactly is read exactly.
# Seen:  21.1 is written as 21.100000000000001, which a service that takes two decimal places refuses. So is an NSDecimalNumber that was made of
#        the text 21.1. The integer 9223372036854775807 is written exactly; read again it is a double, whose longLongValue is
#        -9223372036854775808.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
if ! command -v gnustep-config > /dev/null || ! gcc -print-prog-name=cc1obj | xargs test -x; then
  echo 'Install it first: apt-get install --no-install-recommends gcc gobjc libgnustep-base-dev, of Debian 12'
  exit 1
fi
EXPECTED='[21.100000000000001,21.100000000000001,9223372036854775807,0.5]
-9223372036854775808'
cat > main.m <<'OBJC'
#import <Foundation/Foundation.h>
int main(void) {
  NSAutoreleasePool *pool = [NSAutoreleasePool new];
  NSArray *values = [NSArray arrayWithObjects: [NSNumber numberWithDouble: 21.1],
    [NSDecimalNumber decimalNumberWithString: @"21.1"], [NSNumber numberWithLongLong: 9223372036854775807LL],
    [NSNumber numberWithDouble: 0.5], nil];
  NSData *text = [NSJSONSerialization dataWithJSONObject: values options: 0 error: 0];
  printf("%.*s\n", (int)[text length], (char *)[text bytes]);
  NSArray *again = [NSJSONSerialization JSONObjectWithData: text options: 0 error: 0];
  printf("%lld\n", [[again objectAtIndex: 2] longLongValue]);
  [pool release];
  return 0;
}
OBJC
gcc $(gnustep-config --objc-flags) main.m -o main $(gnustep-config --base-libs) > log 2>&1 || { cat log; exit 1; }
seen=$(./main)
[ "$seen" = "$EXPECTED" ] || { echo "Changed: $seen"; exit 1; }
echo 'As found: NSJSONSerialization of GNUstep writes 21.1 as 21.100000000000001.'

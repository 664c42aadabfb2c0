#!/usr/bin/env bash
# kotlinx.serialization 1.12.0 (Maven Central: kotlinx-serialization-json-jvm).
#
# Guess: a Long is read exactly, or refused: 9007199254740993e0 is 9007199254740993, or an error, as 1000.0 is.
# Seen:  with an exponent it goes through a double: …992, and …930e-1 becomes …994, without an error. Of a JsonPrimitive, `long` does
#        the same. 9223372036854775806e0 is refused as too large.
# Needs: a JDK from 17, Maven.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > pom.xml <<'XML'
<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>example</groupId>
  <artifactId>example</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>org.jetbrains.kotlinx</groupId>
      <artifactId>kotlinx-serialization-json-jvm</artifactId>
      <version>1.12.0</version>
    </dependency>
  </dependencies>
</project>
XML
cat > Read.java <<'JAVA'
import kotlin.jvm.internal.LongCompanionObject;
import kotlinx.serialization.builtins.BuiltinSerializersKt;
import kotlinx.serialization.json.Json;

class Read {
    public static void main(String[] texts) {
        for (String text : texts) System.out.println(text + " " + read(text));
    }

    static Object read(String text) {
        try {
            return Json.Default.decodeFromString(BuiltinSerializersKt.serializer(LongCompanionObject.INSTANCE), text);
        } catch (RuntimeException refusal) {
            return "refused";
        }
    }
}
JAVA
mvn -q dependency:build-classpath -Dmdep.outputFile=classpath > log
EXPECTED='9007199254740993 9007199254740993
9007199254740993e0 9007199254740992
90071992547409930e-1 9007199254740994
1e3 1000
1000.0 refused
9223372036854775806e0 refused'
seen=$(java -cp "$(< classpath)" Read.java 9007199254740993 9007199254740993e0 90071992547409930e-1 1e3 1000.0 9223372036854775806e0)
[ "$seen" = "$EXPECTED" ] || { echo "Changed: $seen"; exit 1; }
echo 'As found: kotlinx.serialization 1.12.0 rounds a Long with an exponent.'

#!/usr/bin/env bash
# REST Assured 5.5.6 (Maven Central: io.rest-assured:json-path), which reads JSON in tests of an API.
#
# Guess: getDouble() gives the double that the JSON has, and getInt() refuses what is no int.
# Seen:  a number with a point is read as a float before, so that getDouble() gives 12.345679 for 12.345678901, and get() is not equal to
#        21.1. getInt() gives 1 for 9007199254740993. With NumberReturnType.DOUBLE, the first two are right.
# Needs: a JDK from 17, Maven.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
EXPECTED='default: 12.345679 false 1
DOUBLE: 12.345678901 true 1'
cat > pom.xml <<'XML'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>example</groupId><artifactId>example</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>io.rest-assured</groupId><artifactId>json-path</artifactId><version>5.5.6</version></dependency>
  </dependencies>
</project>
XML
mvn --batch-mode --quiet dependency:copy-dependencies -DoutputDirectory=lib > log || { tail -5 log; exit 1; }
cat > Main.java <<'JAVA'
import io.restassured.path.json.JsonPath;
import io.restassured.path.json.config.JsonPathConfig;

class Main {
  public static void main(String[] args) {
    String text = "{\"width\":12.345678901,\"price\":21.1,\"id\":9007199254740993}";
    show("default", new JsonPath(text));
    show("DOUBLE", new JsonPath(text).using(new JsonPathConfig(JsonPathConfig.NumberReturnType.DOUBLE)));
  }
  static void show(String name, JsonPath json) {
    System.out.println(name + ": " + json.getDouble("width") + " " + json.get("price").equals(21.1) + " " + json.getInt("id"));
  }
}
JAVA
seen=$(java -cp 'lib/*' Main.java)
[ "$seen" = "$EXPECTED" ] || { echo "Changed: $seen"; exit 1; }
echo 'As found: getDouble() of REST Assured 5.5.6 gives what is left of a float.'

#!/usr/bin/env bash
# swagger-codegen 3.0.61, -l java (Maven Central).
#
# Guess: in the schema of an object, `additionalProperties: true` says what is true without it. So the class that is made of the schema
#        reads and writes its properties as before.
# Seen:  with it, the class extends HashMap, and Gson reads and writes that map only. getName() is null for a response that has a name.
#        setName("Fern") writes {}. Without the line, both do what they say. The generator and the compiler end without a warning.
# Needs: a JDK from 17, Maven.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
EXPECTED='with: getName() null, map {name=Fern}, writes {}
without: getName() Fern, writes {"name":"Fern"}'

cat > api.yaml <<'YAML'
openapi: 3.0.3
info: { title: Things, version: 1.0.0 }
paths:
  /things:
    get:
      responses:
        '200': { description: One with it., content: { application/json: { schema: { $ref: '#/components/schemas/With' } } } }
    post:
      responses:
        '200': { description: One without it., content: { application/json: { schema: { $ref: '#/components/schemas/Without' } } } }
components:
  schemas:
    With: { type: object, properties: { name: { type: string } }, additionalProperties: true }
    Without: { type: object, properties: { name: { type: string } } }
YAML
mvn --batch-mode --quiet dependency:copy -Dartifact=io.swagger.codegen.v3:swagger-codegen-cli:3.0.61 -DoutputDirectory=. > log
java -jar swagger-codegen-cli-3.0.61.jar generate -l java -i api.yaml -o generated > log 2>&1
# This annotation left the JDK with Java 11.
grep -rl '^@javax.annotation.Generated' generated/src | xargs sed -i '/^@javax.annotation.Generated/d'
cat > generated/src/main/java/Main.java <<'JAVA'
import io.swagger.client.JSON;
import io.swagger.client.model.With;
import io.swagger.client.model.Without;

class Main {
  public static void main(String[] args) {
    JSON json = new JSON();
    With with = json.deserialize("{\"name\":\"Fern\"}", With.class);
    System.out.println("with: getName() " + with.getName() + ", map " + new java.util.HashMap<>(with) + ", writes " + json.serialize(new With().name("Fern")));
    Without without = json.deserialize("{\"name\":\"Fern\"}", Without.class);
    System.out.println("without: getName() " + without.getName() + ", writes " + json.serialize(new Without().name("Fern")));
  }
}
JAVA
cd generated
mvn --batch-mode --quiet package dependency:copy-dependencies -DoutputDirectory=target/lib -Djava.version=17 -Dmaven.test.skip \
  -Dmaven.javadoc.skip -Dmaven.source.skip > ../log
seen=$(java -cp 'target/classes:target/lib/*' Main)
[ "$seen" = "$EXPECTED" ] || { echo "Changed: $seen"; exit 1; }
echo 'As found: swagger-codegen 3.0.61 makes a Java class with additionalProperties whose properties stay empty.'

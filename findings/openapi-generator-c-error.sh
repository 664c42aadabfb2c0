#!/usr/bin/env bash
# openapi-generator 7.25.0, -g c (Maven Central: org.openapitools:openapi-generator-cli).
#
# Guess: a schema Error with a property error makes C that compiles, as in the other languages.
# Seen:  the generator ends with 0, and the file does not compile: two variables have the name error_local_var. With
#        --model-name-mappings Error=Failure, an #include has another case than the file that was written; with Error=failure, all compiles.
#        Then the integer 9007199254740993 of a long is written as 9007199254740992, because its cJSON has doubles only.
# Needs: Java from 11, Maven, gcc, libcurl4-openssl-dev of Debian 12.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > api.yaml <<'YAML'
openapi: 3.0.3
info: { title: Things, version: 1.0.0 }
paths:
  /things:
    post:
      operationId: createThing
      responses:
        '200': { description: A thing., content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } } }
        '400': { description: An error., content: { application/json: { schema: { $ref: '#/components/schemas/Error' } } } }
components:
  schemas:
    Thing: { type: object, required: [id], properties: { id: { type: integer, format: int64 } } }
    Error: { type: object, required: [error], properties: { error: { type: integer, format: int32 } } }
YAML
mvn --batch-mode --quiet dependency:copy -Dartifact=org.openapitools:openapi-generator-cli:7.25.0 -DoutputDirectory=. > log
cat > main.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include "model/thing.h"
int main(void) {
  long *id = malloc(sizeof(long));
  *id = 9007199254740993;
  puts(cJSON_PrintUnformatted(thing_convertToJSON(thing_create(id))));
}
C
# Generates with a name for the schema, and prints whether it compiles.
compiles() {
  rm -rf out && java -jar openapi-generator-cli-7.25.0.jar generate -g c -i api.yaml -o out $1 > log 2>&1 || { echo 'no generator'; return; }
  gcc -w -Iout -Iout/include main.c out/api/*.c out/model/*.c out/src/*.c out/external/*.c -lcurl -lssl -lcrypto -lm -o main > log 2>&1 \
    && echo yes || grep -oE 'conflicting types for .error_local_var|Failure.h: No such file' log | head -n 1
}
expect() { case $2 in $1) ;; *) echo "Changed: expected '$1', got '$2'"; exit 1 ;; esac; }
expect 'conflicting types for *error_local_var' "$(compiles '')"
expect 'Failure.h: No such file' "$(compiles '--model-name-mappings Error=Failure')"
expect yes "$(compiles '--model-name-mappings Error=failure')"
expect '{"id":9007199254740992}' "$(./main)"
echo 'As found: openapi-generator 7.25.0 -g c makes no C that compiles of a schema Error with a property error.'

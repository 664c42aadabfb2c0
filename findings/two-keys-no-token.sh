#!/usr/bin/env bash
# Tool: Spring Authorization Server 7.0.6, of Spring Boot 4.0.7 (Maven)
# Behavior: with two RSA keys in its key set, as for a change of keys in which the old one stays published, it issues no JWT at
#   all. The client that asks for a token is sent to the login page.
# Guess, written down before: it signs with the first key, and publishes both.
# Output seen: see EXPECTED below.
# Mend: a bean JwtEncoder of one's own, whose setJwkSelector chooses the key: the last line of EXPECTED.
# Needs: a JDK from 17, Maven, curl.
set -euo pipefail
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$folder"' EXIT
cd "$folder"
EXPECTED='one key: a token, signed with a; published: a
two keys: status 302 to /login; published: a b
two keys and a selector: a token, signed with b; published: a b'

mkdir -p src/main/java/issuer src/main/resources
cat > pom.xml <<'XML'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <parent>
    <groupId>org.springframework.boot</groupId>
    <artifactId>spring-boot-starter-parent</artifactId>
    <version>4.0.7</version>
    <relativePath/>
  </parent>
  <groupId>example</groupId>
  <artifactId>issuer</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>org.springframework.boot</groupId>
      <artifactId>spring-boot-starter-security-oauth2-authorization-server</artifactId>
    </dependency>
  </dependencies>
  <build>
    <finalName>issuer</finalName>
    <plugins>
      <plugin>
        <groupId>org.springframework.boot</groupId>
        <artifactId>spring-boot-maven-plugin</artifactId>
      </plugin>
    </plugins>
  </build>
</project>
XML
cat > src/main/java/issuer/Issuer.java <<'JAVA'
package issuer;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.security.oauth2.jwt.JwtEncoder;
import org.springframework.security.oauth2.jwt.NimbusJwtEncoder;

@SpringBootApplication
public class Issuer {
  public static void main(String[] args) {
    SpringApplication.run(Issuer.class, args);
  }

  @Bean
  JWKSource<SecurityContext> jwkSource() throws Exception {
    List<JWK> keys = new ArrayList<>();
    for (String kid : System.getProperty("kids").split(","))
      keys.add(new RSAKeyGenerator(2048).keyID(kid).keyUse(KeyUse.SIGNATURE).algorithm(JWSAlgorithm.RS256).generate());
    return new ImmutableJWKSet<>(new JWKSet(keys));
  }

  @Bean
  @ConditionalOnProperty("selects")
  JwtEncoder jwtEncoder(JWKSource<SecurityContext> jwkSource) {
    NimbusJwtEncoder encoder = new NimbusJwtEncoder(jwkSource);
    encoder.setJwkSelector((keys) -> keys.get(keys.size() - 1));
    return encoder;
  }
}
JAVA
cat > src/main/resources/application.properties <<'TEXT'
server.address=127.0.0.1
server.port=0
logging.level.root=error
logging.level.org.springframework.boot.tomcat=info
spring.security.oauth2.authorizationserver.issuer=http://127.0.0.1
spring.security.oauth2.authorizationserver.client.shop.registration.client-id=shop
spring.security.oauth2.authorizationserver.client.shop.registration.client-secret={noop}example
spring.security.oauth2.authorizationserver.client.shop.registration.client-authentication-methods=client_secret_post
spring.security.oauth2.authorizationserver.client.shop.registration.authorization-grant-types=client_credentials
TEXT
mvn --batch-mode --quiet package

# Starts the server, and asks it for a token and for its keys. Arguments: what it is, and Java's options.
try() {
  java "${@:2}" -jar target/issuer.jar > server.log 2>&1 &
  server=$!
  for _ in $(seq 300); do grep -q 'Tomcat started on port' server.log && break; sleep 1; done
  port=$(grep -o 'Tomcat started on port [0-9]*' server.log | grep -o '[0-9]*$')
  status=$(curl --silent --output token.json --write-out '%{http_code} %{redirect_url}' "http://127.0.0.1:$port/oauth2/token" \
    -d grant_type=client_credentials -d client_id=shop -d client_secret=example)
  published=$(curl --silent "http://127.0.0.1:$port/oauth2/jwks" | grep -o '"kid":"[a-z]*"' | cut -d '"' -f 4 | sort | tr '\n' ' ')
  # The address of the login page ends with the id of a session.
  status=${status%%;*}
  result="status ${status/ http:\/\/127.0.0.1:$port/ to }"
  # The header of the token is JSON in base64url; its length need not be a multiple of four.
  if [ "$status" = "200 " ]; then
    header=$(grep -o '"access_token":"[^.]*' token.json | cut -d '"' -f 4 | tr '_-' '/+')
    result="a token, signed with $( (echo "$header==" | base64 -d 2> /dev/null || true) | grep -o '"kid":"[a-z]*"' | cut -d '"' -f 4)"
  fi
  kill "$server"
  wait "$server" || true
  server=
  echo "$1: $result; published: ${published% }"
}

{
  try 'one key' -Dkids=a
  try 'two keys' -Dkids=a,b
  try 'two keys and a selector' -Dkids=a,b -Dselects=yes
} > output.txt
cat output.txt
[ "$(cat output.txt)" = "$EXPECTED" ] || { echo 'CHANGED: the output is not the one above, in EXPECTED.' >&2; exit 1; }

/** How one client is generated, built and run, or how a linter is run. Its files are in the folder of its name. */
export interface Recipe {
  readonly name: string;
  /** The generator with its version, as docs/clients.md names it. */
  readonly generator: string;
  /** The commands that show whether the tools are on this machine, and what to install otherwise. */
  readonly needs: Readonly<Record<string, string>>;
  /** Shell commands, run in a copy of the folder that has openapi.yaml. */
  readonly build: readonly string[];
  /** Runs the client; a linter has none. */
  readonly run?: string;
}

const NPM =
  'echo \'{"type": "module"}\' > package.json && npm install --ignore-scripts --no-audit --no-fund --silent typescript@5.9.3 @types/node@24.10.1';
const TSC =
  'node_modules/.bin/tsc --noEmit --strict --skipLibCheck --target es2024 --module nodenext --allowImportingTsExtensions main.ts';
const PYTHON = { 'python3 -m venv --help': 'Python 3 with venv' };
const GO = { 'go version': 'Go' };
const JAVA = { 'javac -version': 'a JDK', 'mvn --version': 'Maven' };
const JAR = 'openapi-generator-cli-7.25.0.jar';
const MAVEN = 'mvn --batch-mode --quiet';
const GET_JAR = `${MAVEN} dependency:copy -Dartifact=org.openapitools:openapi-generator-cli:7.25.0 -DoutputDirectory=.`;

/** All clients, one for each generator and language, and the linters of OpenAPI documents. */
export const RECIPES: readonly Recipe[] = [
  {
    name: 'openapi-fetch',
    generator: 'openapi-typescript 7.13.0, openapi-fetch 0.17.0',
    needs: {},
    build: [`${NPM} openapi-typescript@7.13.0 openapi-fetch@0.17.0`, 'node generate.ts', TSC],
    run: 'node main.ts',
  },
  {
    name: 'hey-api',
    generator: '@hey-api/openapi-ts 0.99.0',
    needs: {},
    build: [`${NPM} @hey-api/openapi-ts@0.99.0`, 'node node_modules/.bin/openapi-ts', TSC],
    run: 'node main.ts',
  },
  {
    name: 'python',
    generator: 'openapi-python-client 0.29.1',
    needs: PYTHON,
    build: [
      'python3 -m venv venv',
      'venv/bin/pip install --quiet openapi-python-client==0.29.1',
      'PATH="$PWD/venv/bin:$PATH" openapi-python-client generate --path openapi.yaml --output-path generated',
      'venv/bin/pip install --quiet ./generated',
    ],
    run: 'venv/bin/python main.py',
  },
  {
    name: 'oapi-codegen',
    generator: 'oapi-codegen 2.8.2',
    needs: GO,
    build: [
      'go mod init example && mkdir plants',
      'go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 -generate types,client -package plants -o plants/plants.go openapi.yaml',
      'go get github.com/oapi-codegen/runtime@v1.8.0 && go mod tidy && go build -o main',
    ],
    run: './main',
  },
  {
    name: 'openapi-generator-go',
    generator: 'openapi-generator 7.25.0, -g go',
    needs: { ...GO, ...JAVA },
    build: [
      GET_JAR,
      `java -jar ${JAR} generate -g go -i openapi.yaml -o plants --model-name-mappings Plant=StoredPlant --package-name plants --global-property apis,models,supportingFiles,apiTests=false,modelTests=false --additional-properties withGoMod=false`,
      'go mod init example && go mod tidy && go build -o main',
    ],
    run: './main',
  },
  {
    name: 'java',
    generator: 'openapi-generator 7.25.0, -g java',
    needs: JAVA,
    build: [
      GET_JAR,
      `java -jar ${JAR} generate -g java -i openapi.yaml -o generated`,
      `cp Main.java generated/src/main/java/ && cd generated && ${MAVEN} package -DskipTests -Dmaven.javadoc.skip -Dmaven.source.skip`,
    ],
    run: "java -cp 'generated/target/classes:generated/target/lib/*' Main",
  },
  {
    name: 'spectral',
    generator: '@stoplight/spectral-cli 6.16.3',
    needs: {},
    build: [
      'npm install --ignore-scripts --no-audit --no-fund --silent @stoplight/spectral-cli@6.16.3',
      'node_modules/.bin/spectral lint --ruleset ruleset.yaml --fail-severity hint openapi.yaml',
    ],
  },
  {
    name: 'vacuum',
    generator: 'vacuum 0.29.9',
    needs: { 'vacuum version': 'vacuum (quobix.com/vacuum)' },
    build: [
      'vacuum lint --ruleset ruleset.yaml --fail-severity info --timeout 60 --no-update-check --details --no-style openapi.yaml',
    ],
  },
];

import { createHash } from 'node:crypto';
import { Aws, Duration, Lazy, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { ENVIRONMENT } from '../lambda/environment.ts';
import { LAMBDA_TIMEOUT_MS } from '../lambda/limits.ts';
import { ROUTES_IN_WORDS } from '../lambda/routes.ts';
import { HANDLER, PLAIN_HANDLER, SOURCES, START_SCRIPT } from './bundle.ts';
import { acknowledge } from './cdk-nag.ts';
import { optionalVariables } from './optional-code.ts';
import { ALIAS } from './stack-names.ts';
import type { Stage } from './stage-settings.ts';
import { tableCalls } from './table-calls.ts';
import type { Tables } from './tables.ts';
import { formatAliasDescription, type WorkingCopy } from './working-copy.ts';

/**
 * Memory also sets the share of a core (a whole one at 1,769 MB), but not of INIT (docs/decisions.md, 13). From 512 to 1,769 MB a client
 * waits the same, at three times the price, unless its body is huge: one of 1 MiB takes 111 and 42 ms. Less was not measured: with
 * 128 MB, a request that has to connect would come near its time limit.
 */
const MEMORY_MB = 512;

/** The function, the alias that the gateway calls, and the log group. */
export type PlantFunction = ReturnType<typeof makeFunction>;

/** Makes the function, with only the permissions that it needs. */
export function makeFunction(
  scope: Construct,
  stage: Stage,
  tables: Tables,
  { source, bundle, key }: { source: WorkingCopy; bundle?: string; key: IKey | undefined },
) {
  const removalPolicy = stage.isProtected ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
  // Windows cannot mark a file as executable, and the function would not start.
  const hasScript = !stage.plain && process.platform !== 'win32';
  const logGroup = new LogGroup(scope, 'FunctionLogs', {
    retention: stage.logDays,
    removalPolicy,
    deletionProtectionEnabled: stage.isProtected,
    encryptionKey: key,
  });
  const current = new lambda.Function(scope, 'Function', {
    description: `Plant Store ${stage.name}: ${ROUTES_IN_WORDS}`,
    runtime: lambda.Runtime.NODEJS_24_X,
    architecture: lambda.Architecture.ARM_64,
    handler: stage.plain ? PLAIN_HANDLER : HANDLER,
    // Without a bundle, the template is not deployed, but needs some asset.
    code: bundle
      ? lambda.Code.fromAsset(bundle, { exclude: hasScript ? [] : [START_SCRIPT] })
      : lambda.Code.fromAsset(SOURCES, { exclude: ['*', `!${START_SCRIPT}`] }),
    memorySize: MEMORY_MB,
    timeout: Duration.millis(LAMBDA_TIMEOUT_MS),
    reservedConcurrentExecutions: stage.concurrency,
    role: makeRole(scope, tables, logGroup, key),
    environment: {
      [ENVIRONMENT.plantsTable]: tables.plants.tableName,
      ...(tables.accessTokens && { [ENVIRONMENT.accessTokensTable]: tables.accessTokens.tableName }),
      // The program through which Lambda starts Node. Lambda unpacks the asset in /var/task.
      ...(hasScript && { AWS_LAMBDA_EXEC_WRAPPER: `/var/task/${START_SCRIPT}` }),
      ...(stage.allowedOrigins && { [ENVIRONMENT.allowedOrigins]: stage.allowedOrigins.join(' ') }),
      ...optionalVariables(stage),
    },
    tracing: lambda.Tracing.ACTIVE,
    logGroup,
    // The metric filters read the request line as JSON.
    loggingFormat: lambda.LoggingFormat.JSON,
    // A higher level would leave out the lines on which all alarms but those of Lambda's and DynamoDB's own metrics count: at ERROR, only
    // failures would remain, NotCompleted and Silence would fire, and no other would see a refusal, a retry or a plant.
    applicationLogLevelV2: lambda.ApplicationLogLevel.INFO,
    // WARN keeps the reports of invocations that failed or timed out. A report of each successful one would cost more
    // than the request's own line, and the metrics already have its content.
    systemLogLevelV2: lambda.SystemLogLevel.WARN,
    currentVersionOptions: {
      // Not RETAIN, which would keep a version that a canary refused.
      removalPolicy: stage.isProtected ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
    },
  });
  nameVersionByCode(current);
  const alias = new lambda.Alias(scope, 'Live', {
    aliasName: ALIAS,
    version: current.currentVersion,
    // A tag of the stack would change every resource.
    description: formatAliasDescription(source),
  });
  return { current, alias, logGroup };
}

/** What Lambda changes without a new version of the function, of the properties that this one may have. */
const NOT_OF_VERSION = ['Code', 'ReservedConcurrentExecutions', 'Tags'];

/**
 * Lambda publishes no second version of the same code and configuration (Lambda API Reference, PublishVersion), so that a new logical
 * id of the version fails the deployment then. The CDK makes the id of the text of the function's properties. Where the code lies is one
 * of them, which account, Region and the bootstrap's qualifier change. So the id follows the asset instead. What the CDK itself offers for this,
 * `classifyVersionProperty`, would act on every function of the process.
 */
function nameVersionByCode(current: lambda.Function): void {
  const stack = Stack.of(current);
  const resource = current.node.defaultChild as lambda.CfnFunction & { _toCloudFormation(): object };
  const { s3Key } = stack.resolve(resource.code) as lambda.CfnFunction.CodeProperty;
  const version = current.currentVersion.node.defaultChild as lambda.CfnVersion;
  // Not before the synth: a tag, or whatever else, may be added until then.
  const produce = () => {
    const { Resources } = stack.resolve(resource._toCloudFormation());
    const properties = Object.entries(Resources[stack.resolve(resource.logicalId)].Properties);
    const ofVersion = properties.filter(([name]) => !NOT_OF_VERSION.includes(name));
    const hash = createHash('sha256').update(JSON.stringify([s3Key, ofVersion]));
    return `FunctionCurrentVersion${hash.digest('hex').slice(0, 32)}`;
  };
  version.overrideLogicalId(Lazy.uncachedString({ produce }));
}

function makeRole(scope: Construct, tables: Tables, logGroup: LogGroup, key: IKey | undefined): Role {
  const role = new Role(scope, 'FunctionRole', {
    description: 'What the function of the Plant Store may do',
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
  });
  // Not the table's `grants`, which of a table with indexes give an action for all of them, too.
  for (const { operation, resource } of tableCalls(tables))
    role.addToPrincipalPolicy(
      new PolicyStatement({ actions: [`dynamodb:${operation}`], resources: [resource] }),
    );
  // DynamoDB asks in the caller's name (Developer Guide, "Using IAM policies to control access to customer managed keys"). What else the key
  // encrypts is not the function's.
  if (key)
    role.addToPrincipalPolicy(
      new PolicyStatement({
        actions: ['kms:Decrypt'],
        resources: [key.keyArn],
        conditions: { StringLike: { 'kms:ViaService': `dynamodb.${Aws.REGION}.*` } },
      }),
    );
  logGroup.grantWrite(role);
  // Service Authorization Reference, "Actions, resources, and condition keys for AWS X-Ray".
  acknowledge(role, {
    'IAM5[Resource::*]': 'X-Ray has no resource types: IAM accepts only * for its actions.',
  });
  return role;
}

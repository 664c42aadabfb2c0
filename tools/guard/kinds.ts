/** Whether a change is harmless, from the value before to the one after; undefined means that it is absent. */
export type Harmless = (before: unknown, after: unknown) => boolean;

/** A kind of resource that must not be lost. */
export interface Kind {
  readonly noun: string;
  /** The data or the address that is lost with it. */
  readonly holds: string;
  /** Whether a new one could take the place of one with data, which the service would then no longer use. */
  readonly startsEmpty?: true;
  /** The changes that lose none of it, by the paths of their properties; `*` is any Region, or any place in a list. */
  readonly harmless: Readonly<Record<string, Harmless>>;
}

const always: Harmless = () => true;
const becomes =
  (...values: readonly unknown[]): Harmless =>
  (_, after) =>
    values.includes(after);
/** @param absent the number that an absent value means */
const isNotLess =
  (absent: number): Harmless =>
  (before = absent, after = absent) =>
    typeof before === 'number' && typeof after === 'number' && after >= before;

/**
 * What must not be lost, and the only changes of it that pass. The meaning of each property is from AWS's CloudFormation
 * Template Reference. Tags are not here, because backups and access policies can select resources by them.
 */
const KINDS: Readonly<Record<string, Kind>> = {
  'AWS::DynamoDB::GlobalTable': {
    noun: 'table',
    holds: 'plants or access tokens',
    startsEmpty: true,
    harmless: {
      'Replicas.*.DeletionProtectionEnabled': becomes(true),
      'Replicas.*.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled': becomes(true),
      // Absent means 35 days, the longest period.
      'Replicas.*.PointInTimeRecoverySpecification.RecoveryPeriodInDays': isNotLess(35),
      // Ceilings refuse requests; what is stored stays.
      'Replicas.*.ReadOnDemandThroughputSettings': always,
      WriteOnDemandThroughputSettings: always,
    },
  },
  'AWS::Logs::LogGroup': {
    noun: 'log group',
    holds: 'log entries',
    // Absent means that entries never expire.
    harmless: { RetentionInDays: isNotLess(Infinity) },
  },
  'AWS::KMS::Key': {
    noun: 'key',
    holds: 'everything that it encrypts',
    // A key keeps its earlier key material when it rotates.
    harmless: { Description: always, EnableKeyRotation: becomes(true) },
  },
  'AWS::KMS::Alias': { noun: 'key alias', holds: 'the name of a key', harmless: {} },
  'AWS::Lambda::Alias': {
    noun: 'function alias',
    holds: 'the address that the API calls',
    // Every deployment moves the alias to a new version.
    harmless: { Description: always, FunctionVersion: always },
  },
  'AWS::ApiGateway::RestApi': {
    noun: 'API',
    holds: 'the base URL',
    // The base URL contains the generated id, not the name.
    harmless: { Description: always, Name: always },
  },
  'AWS::ApiGateway::Stage': {
    noun: 'API stage',
    holds: 'the base URL',
    harmless: {
      Description: always,
      // Every change of a method or of an answer makes a new deployment.
      DeploymentId: always,
      // How later requests are logged and traced; the log group with the earlier ones is guarded by itself.
      AccessLogSetting: always,
      TracingEnabled: always,
      'MethodSettings.*.ThrottlingRateLimit': always,
      'MethodSettings.*.ThrottlingBurstLimit': always,
    },
  },
  'AWS::ApiGateway::DomainName': {
    noun: 'domain name',
    holds: 'the base URL',
    // API Gateway refuses a certificate for another name.
    harmless: { RegionalCertificateArn: always },
  },
  'AWS::ApiGateway::BasePathMapping': { noun: 'path of a domain', holds: 'the base URL', harmless: {} },
  'AWS::Route53::RecordSet': { noun: 'DNS record', holds: 'the base URL', harmless: {} },
  'AWS::SNS::Topic': {
    noun: 'topic',
    holds: 'confirmed subscriptions',
    harmless: { DisplayName: always },
  },
};

/** The same for each kind. A policy decides only when its resource is removed or replaced, which is judged by itself. */
const ATTRIBUTES: Kind['harmless'] = {
  DeletionPolicy: becomes('Retain', 'RetainExceptOnCreate'),
  UpdateReplacePolicy: becomes('Retain'),
  // How the alias moves to a new version.
  UpdatePolicy: always,
  // The order of the work, and notes.
  DependsOn: always,
  Metadata: always,
};

/** The kind of a type of resource; undefined if it is not known to hold anything. */
export function kindOf(type: string): Kind | undefined {
  return Object.hasOwn(KINDS, type) ? KINDS[type] : undefined;
}

/** The changes of a resource that lose nothing, by their paths in the template, such as `Properties.DisplayName`. */
export function harmlessChanges(type: string): Kind['harmless'] {
  const kind = kindOf(type);
  if (!kind) return {};
  const properties = Object.entries(kind.harmless).map(([path, harmless]) => [
    `Properties.${path}`,
    harmless,
  ]);
  return { ...ATTRIBUTES, ...Object.fromEntries(properties) };
}

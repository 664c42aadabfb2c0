import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec';

/** A kind of resource that must not be lost. */
export interface Kind {
  readonly noun: string;
  /** Whether it holds data; if not, others refer to it. */
  readonly holdsData: boolean;
}

const NOUNS: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::GlobalTable': 'table',
  'AWS::DynamoDB::Table': 'table',
  'AWS::Logs::LogGroup': 'log group',
  'AWS::KMS::Key': 'key',
  'AWS::S3::Bucket': 'bucket',
};

/** Types without data whose addresses clients know, whose names operators know, or which have subscribers. */
const REFERRED_TO: ReadonlyMap<string, string> = new Map([
  ['AWS::Lambda::Alias', 'function alias'],
  ['AWS::KMS::Alias', 'key alias'],
  ['AWS::ApiGateway::RestApi', 'API'],
  ['AWS::ApiGateway::Stage', 'API stage'],
  ['AWS::ApiGateway::DomainName', 'domain name'],
  ['AWS::SNS::Topic', 'topic'],
]);

let spec: ReturnType<typeof loadAwsServiceSpecSync> | undefined;

/**
 * The kind of a type of resource; undefined if its resources can be created again without a loss, such as a role or an
 * alarm. The first call loads AWS's data on the types, which takes a second.
 */
export function kindOf(type: string): Kind | undefined {
  const noun = REFERRED_TO.get(type);
  if (noun !== undefined) return { noun, holdsData: false };
  spec ??= loadAwsServiceSpecSync();
  const [resource] = spec.lookup('resource', 'cloudFormationType', 'equals', type);
  return resource?.isStateful ? { noun: NOUNS[type] ?? type, holdsData: true } : undefined;
}

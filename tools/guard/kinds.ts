import { loadAwsServiceSpec } from '@aws-cdk/aws-service-spec';

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

/** They hold no data, but clients know their addresses, operators their names, and a topic has subscribers. */
const REFERRED_TO: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'AWS::Lambda::Alias': 'function alias',
    'AWS::KMS::Alias': 'key alias',
    'AWS::ApiGateway::RestApi': 'API',
    'AWS::ApiGateway::Stage': 'API stage',
    'AWS::ApiGateway::DomainName': 'domain name',
    'AWS::SNS::Topic': 'topic',
  }),
);

/** Gives the kind of a resource type; undefined if its resources can be created again without a loss, such as a role or an alarm. */
export type KindOf = (type: string) => Kind | undefined;

/** Loads AWS's data on the types of resources, which takes a second. */
export async function loadKinds(): Promise<KindOf> {
  const spec = await loadAwsServiceSpec();
  return (type) => {
    const noun = REFERRED_TO.get(type);
    if (noun !== undefined) return { noun, holdsData: false };
    const [resource] = spec.lookup('resource', 'cloudFormationType', 'equals', type);
    return resource?.isStateful ? { noun: NOUNS[type] ?? type, holdsData: true } : undefined;
  };
}

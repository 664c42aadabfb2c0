import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { type Attribute, AttributeType, Billing, TableEncryptionV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { hasOwnTokens } from './optional-code.ts';
import type { Stage } from './stage-settings.ts';
import { ACCESS_TOKENS_KEY, PLANTS_KEY, type TableKey } from './table-keys.ts';

/** The two tables of a stage. */
export type Tables = ReturnType<typeof makeTables>;

/**
 * Makes the table of plants and the table of access tokens, if the stage issues some. Their ids become logical ids that must not change, or
 * CloudFormation would create new, empty tables instead. A test checks them.
 */
export function makeTables(scope: Construct, stage: Stage, key?: IKey) {
  return {
    plants: makeTable(scope, 'Plants', stage, PLANTS_KEY, { key }),
    // DynamoDB deletes a token some time after it has expired.
    accessTokens: hasOwnTokens(stage)
      ? makeTable(scope, 'AccessTokens', stage, ACCESS_TOKENS_KEY, { ttl: 'expires', key })
      : undefined,
  };
}

function makeTable(
  scope: Construct,
  id: string,
  stage: Stage,
  partition: TableKey,
  { ttl, key }: { ttl?: string; key: IKey | undefined },
): TableV2 {
  const { isProtected, tableCeiling } = stage;
  return new TableV2(scope, id, {
    partitionKey: attribute(partition),
    timeToLiveAttribute: ttl,
    encryption: key && TableEncryptionV2.customerManagedKey(key),
    billing: Billing.onDemand(
      tableCeiling && { maxReadRequestUnits: tableCeiling.reads, maxWriteRequestUnits: tableCeiling.writes },
    ),
    // In every stage, so that operators can practice a restore in dev.
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    // CloudFormation does not give this type the tags of the stack: its schema has no `tagging` (aws-cdk, pull request 31867).
    tags: Object.entries(Stack.of(scope).tags.tagValues()).map(([key, value]) => ({ key, value })),
    deletionProtection: isProtected,
    removalPolicy: isProtected ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
}

function attribute({ name, type }: TableKey): Attribute {
  return { name, type: type === 'N' ? AttributeType.NUMBER : AttributeType.STRING };
}

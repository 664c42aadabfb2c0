import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, Billing, type ITableV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { ACCESS_TOKENS_KEY, ACCESS_TOKENS_TTL, PLANTS_KEY, type TableKey } from './names.ts';
import type { Stage } from './stage-settings.ts';

/** The two tables of a stage. */
export interface Tables {
  readonly plants: ITableV2;
  readonly accessTokens: ITableV2;
  /** While tables are borrowed, those that the version before uses. It serves requests until the alias has moved. */
  readonly previous: { readonly plants?: ITableV2; readonly accessTokens?: ITableV2 };
}

/**
 * Makes the table of plants and the table of access tokens. Their ids become logical ids that must not change, or
 * CloudFormation would create new, empty tables instead. A test checks them.
 */
export function makeTables(scope: Construct, stage: Stage): Tables {
  const { plants, accessTokens } = stage.borrowedTables ?? {};
  const borrow = (id: string, name: string) => TableV2.fromTableName(scope, id, name);
  return {
    plants: plants ? borrow('BorrowedPlants', plants.use) : makeTable(scope, 'Plants', stage, PLANTS_KEY),
    accessTokens: accessTokens
      ? borrow('BorrowedAccessTokens', accessTokens.use)
      : makeTable(scope, 'AccessTokens', stage, ACCESS_TOKENS_KEY, ACCESS_TOKENS_TTL),
    previous: {
      plants: plants && borrow('PreviousPlants', plants.previous),
      accessTokens: accessTokens && borrow('PreviousAccessTokens', accessTokens.previous),
    },
  };
}

function makeTable(scope: Construct, id: string, stage: Stage, key: TableKey, ttl?: string): TableV2 {
  const { isProtected, tableCeiling } = stage;
  return new TableV2(scope, id, {
    partitionKey: { name: key.name, type: key.type === 'N' ? AttributeType.NUMBER : AttributeType.STRING },
    timeToLiveAttribute: ttl,
    billing: Billing.onDemand(
      tableCeiling && { maxReadRequestUnits: tableCeiling.reads, maxWriteRequestUnits: tableCeiling.writes },
    ),
    // In every stage, so that operators can practice a restore in dev.
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: isProtected,
    removalPolicy: isProtected ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
}

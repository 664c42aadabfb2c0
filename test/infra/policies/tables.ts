import { type Deployed, type Json, resources } from '../deployed.ts';
import { broken, each, type Policy, same } from './policy.ts';

const TABLE = 'AWS::DynamoDB::GlobalTable';
const PLANTS = 'PlantsF7D2F15D';
const TOKENS = 'AccessTokensB65260D5';

/** A table's settings in the stack's own Region. */
function replica(table: { Properties: Json }): Json {
  return table.Properties.Replicas[0];
}

function table({ template }: Deployed, id: string): Json {
  return template.Resources[id];
}

export const tablePolicies: Policy[] = [
  {
    says: 'logical id, key and attributes of both tables never change, because that would replace them',
    violations(deployed) {
      const shape = (id: string) => {
        const properties = table(deployed, id)?.Properties;
        return [properties?.KeySchema, properties?.AttributeDefinitions, properties?.TableName];
      };
      const key = (name: string, type: string) => [
        [{ AttributeName: name, KeyType: 'HASH' }],
        [{ AttributeName: name, AttributeType: type }],
        undefined,
      ];
      return broken(
        {
          'there are these two tables': same(
            resources(deployed, TABLE).map(([id]) => id),
            [PLANTS, TOKENS],
          ),
          'plants have the number id': same(shape(PLANTS), key('id', 'N')),
          'access tokens have the string digest': same(shape(TOKENS), key('digest', 'S')),
        },
        'tables',
      );
    },
    mutations: [
      (d) => {
        table(d, PLANTS).Properties.AttributeDefinitions[0].AttributeType = 'S';
      },
      ({ template: { Resources } }) => {
        Object.assign(Resources, { Plants2: Resources[PLANTS] });
        delete Resources[PLANTS];
      },
      (d) => {
        table(d, TOKENS).Properties.TableName = 'tokens';
      },
    ],
  },
  {
    says: 'tables are billed on demand, with a ceiling where the stage sets one',
    violations: (deployed) =>
      each(deployed, TABLE, ({ Properties }) => {
        const { tableCeiling } = deployed.stage;
        return {
          'pay per request': Properties.BillingMode === 'PAY_PER_REQUEST',
          'the ceiling of reads': same(
            replica({ Properties }).ReadOnDemandThroughputSettings?.MaxReadRequestUnits,
            tableCeiling?.reads,
          ),
          'the ceiling of writes': same(
            Properties.WriteOnDemandThroughputSettings?.MaxWriteRequestUnits,
            tableCeiling?.writes,
          ),
        };
      }),
    mutations: [
      (d) => {
        table(d, PLANTS).Properties.BillingMode = 'PROVISIONED';
      },
      (d) => {
        table(d, PLANTS).Properties.WriteOnDemandThroughputSettings = { MaxWriteRequestUnits: 1 };
      },
    ],
  },
  {
    says: 'every table can be restored to a point in time',
    violations: (deployed) =>
      each(deployed, TABLE, (resource) => ({
        'point-in-time recovery is on':
          replica(resource).PointInTimeRecoverySpecification?.PointInTimeRecoveryEnabled === true,
      })),
    mutations: [(d) => delete replica(table(d, TOKENS)).PointInTimeRecoverySpecification],
  },
  {
    says: 'tables outlive the stack and refuse deletion where the stage is protected, and go with it elsewhere',
    violations: (deployed) =>
      each(deployed, TABLE, (resource) => {
        const { isProtected } = deployed.stage;
        const policy = isProtected ? 'Retain' : 'Delete';
        return {
          'deletion protection': replica(resource).DeletionProtectionEnabled === isProtected,
          'what happens when the stack goes': resource.DeletionPolicy === policy,
          'what happens when it is replaced': resource.UpdateReplacePolicy === policy,
        };
      }),
    mutations: [
      (d) => {
        replica(table(d, PLANTS)).DeletionProtectionEnabled = 'maybe';
      },
      (d) => {
        table(d, PLANTS).DeletionPolicy = 'Snapshot';
      },
      (d) => delete table(d, TOKENS).UpdateReplacePolicy,
    ],
  },
  {
    says: 'access tokens expire by themselves, and plants never do',
    violations: (deployed) =>
      broken(
        {
          'plants stay': table(deployed, PLANTS)?.Properties.TimeToLiveSpecification === undefined,
          'access tokens go at expires': same(table(deployed, TOKENS)?.Properties.TimeToLiveSpecification, {
            AttributeName: 'expires',
            Enabled: true,
          }),
        },
        'tables',
      ),
    mutations: [
      (d) => delete table(d, TOKENS).Properties.TimeToLiveSpecification,
      (d) => {
        table(d, PLANTS).Properties.TimeToLiveSpecification = { AttributeName: 'expires', Enabled: true };
      },
    ],
  },
];

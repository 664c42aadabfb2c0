import { resources } from '../synth.ts';
import { differ, every, type Policy } from './policy.ts';

const TABLE = 'AWS::DynamoDB::GlobalTable';
const PLANTS = 'PlantsF7D2F15D';
const TOKENS = 'AccessTokensB65260D5';
const EXPIRY = { AttributeName: 'expires', Enabled: true };

const keyed = (name: string, type: string) => ({
  KeySchema: [{ AttributeName: name, KeyType: 'HASH' }],
  AttributeDefinitions: [{ AttributeName: name, AttributeType: type }],
  TableName: undefined,
});

export const tablePolicies: Policy[] = [
  {
    says: 'the logical id, key and attributes of a table never change, because a change would replace the table',
    violations: (synth) => [
      ...differ(
        'list of tables',
        resources(synth, TABLE).map(([id]) => id),
        [PLANTS, TOKENS],
      ),
      ...every(synth, PLANTS, keyed('id', 'N')),
      ...every(synth, TOKENS, keyed('digest', 'S')),
    ],
    mutants: [
      [PLANTS, 'AttributeDefinitions.0.AttributeType', 'S'],
      [TOKENS, 'TableName', 'tokens'],
      ({ template }) => {
        const { [PLANTS]: Plants2, ...others } = template.Resources;
        Object.assign(template, { Resources: { Plants2, ...others } });
      },
    ],
  },
  {
    says: 'tables are billed on demand up to the ceiling of the stage, and can be restored to a point in time',
    violations: (synth) =>
      every(synth, TABLE, {
        BillingMode: 'PAY_PER_REQUEST',
        'Replicas.0.ReadOnDemandThroughputSettings.MaxReadRequestUnits': synth.stage.tableCeiling?.reads,
        'WriteOnDemandThroughputSettings.MaxWriteRequestUnits': synth.stage.tableCeiling?.writes,
        'Replicas.0.PointInTimeRecoverySpecification': { PointInTimeRecoveryEnabled: true },
      }),
    mutants: [
      [PLANTS, 'BillingMode', 'PROVISIONED'],
      [PLANTS, 'WriteOnDemandThroughputSettings', { MaxWriteRequestUnits: 1 }],
      [PLANTS, 'Replicas.0.ReadOnDemandThroughputSettings', { MaxReadRequestUnits: 1 }],
      [TOKENS, 'Replicas.0.PointInTimeRecoverySpecification'],
    ],
  },
  {
    says: 'the tables of a protected stage outlive the stack and refuse deletion; those of other stages do not',
    violations: (synth) => {
      const { isProtected } = synth.stage;
      const policy = isProtected ? 'Retain' : 'Delete';
      return every(synth, TABLE, {
        'Replicas.0.DeletionProtectionEnabled': isProtected,
        DeletionPolicy: policy,
        UpdateReplacePolicy: policy,
      });
    },
    mutants: [
      [PLANTS, 'Replicas.0.DeletionProtectionEnabled', 'maybe'],
      [PLANTS, 'DeletionPolicy', 'Snapshot'],
      [TOKENS, 'UpdateReplacePolicy'],
    ],
  },
  {
    says: 'access tokens are deleted once they expire, and plants never expire',
    violations: (synth) => [
      ...every(synth, PLANTS, { TimeToLiveSpecification: undefined }),
      ...every(synth, TOKENS, { TimeToLiveSpecification: EXPIRY }),
    ],
    mutants: [
      [TOKENS, 'TimeToLiveSpecification'],
      [PLANTS, 'TimeToLiveSpecification', EXPIRY],
    ],
  },
];

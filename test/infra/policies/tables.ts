import { resources } from '../synth.ts';
import { broken, change, each, type Policy } from './policy.ts';

const TABLE = 'AWS::DynamoDB::GlobalTable';
const PLANTS = 'PlantsF7D2F15D';
const TOKENS = 'AccessTokensB65260D5';

export const tablePolicies: Policy[] = [
  {
    says: 'logical id, key and attributes of both tables never change, because that would replace them',
    violations: (synth) => {
      const shape = (id: string) => {
        const { KeySchema, AttributeDefinitions, TableName } = synth.template.Resources[id]?.Properties ?? {};
        return [KeySchema, AttributeDefinitions, TableName];
      };
      const key = (name: string, type: string) => [
        [{ AttributeName: name, KeyType: 'HASH' }],
        [{ AttributeName: name, AttributeType: type }],
        undefined,
      ];
      return broken('tables', {
        'list of tables': [resources(synth, TABLE).map(([id]) => id), [PLANTS, TOKENS]],
        'key of plants': [shape(PLANTS), key('id', 'N')],
        'key of access tokens': [shape(TOKENS), key('digest', 'S')],
      });
    },
    mutations: [
      change(PLANTS, 'Properties.AttributeDefinitions.0.AttributeType', 'S'),
      ({ template: { Resources } }) => {
        Object.assign(Resources, { Plants2: Resources[PLANTS] });
        delete Resources[PLANTS];
      },
      change(TOKENS, 'Properties.TableName', 'tokens'),
    ],
  },
  {
    says: 'tables are billed on demand, with a ceiling where the stage sets one',
    violations: (synth) =>
      each(synth, TABLE, ({ Properties: { BillingMode, Replicas, WriteOnDemandThroughputSettings } }) => ({
        BillingMode: [BillingMode, 'PAY_PER_REQUEST'],
        'ceiling of reads': [
          Replicas[0].ReadOnDemandThroughputSettings?.MaxReadRequestUnits,
          synth.stage.tableCeiling?.reads,
        ],
        'ceiling of writes': [
          WriteOnDemandThroughputSettings?.MaxWriteRequestUnits,
          synth.stage.tableCeiling?.writes,
        ],
      })),
    mutations: [
      change(PLANTS, 'Properties.BillingMode', 'PROVISIONED'),
      change(PLANTS, 'Properties.WriteOnDemandThroughputSettings', { MaxWriteRequestUnits: 1 }),
    ],
  },
  {
    says: 'every table can be restored to a point in time',
    violations: (synth) =>
      each(synth, TABLE, ({ Properties: { Replicas } }) => ({
        'point-in-time recovery': [
          Replicas[0].PointInTimeRecoverySpecification?.PointInTimeRecoveryEnabled,
          true,
        ],
      })),
    mutations: [change(TOKENS, 'Properties.Replicas.0.PointInTimeRecoverySpecification')],
  },
  {
    says: 'the tables of a protected stage outlive the stack and refuse deletion; those of others go with it',
    violations: (synth) =>
      each(synth, TABLE, ({ Properties: { Replicas }, DeletionPolicy, UpdateReplacePolicy }) => {
        const { isProtected } = synth.stage;
        const policy = isProtected ? 'Retain' : 'Delete';
        return {
          'deletion protection': [Replicas[0].DeletionProtectionEnabled, isProtected],
          DeletionPolicy: [DeletionPolicy, policy],
          UpdateReplacePolicy: [UpdateReplacePolicy, policy],
        };
      }),
    mutations: [
      change(PLANTS, 'Properties.Replicas.0.DeletionProtectionEnabled', 'maybe'),
      change(PLANTS, 'DeletionPolicy', 'Snapshot'),
      change(TOKENS, 'UpdateReplacePolicy'),
    ],
  },
  {
    says: 'access tokens expire by themselves, and plants never do',
    violations: ({ template: { Resources } }) =>
      broken('TimeToLiveSpecification', {
        'of plants': [Resources[PLANTS]?.Properties.TimeToLiveSpecification, undefined],
        'of access tokens': [
          Resources[TOKENS]?.Properties.TimeToLiveSpecification,
          { AttributeName: 'expires', Enabled: true },
        ],
      }),
    mutations: [
      change(TOKENS, 'Properties.TimeToLiveSpecification'),
      change(PLANTS, 'Properties.TimeToLiveSpecification', { AttributeName: 'expires', Enabled: true }),
    ],
  },
];

import { differ, every, find, type Policy, placeOf } from './policy.ts';

/** The tables by their logical ids. A change of the id or the key would replace the table. */
const TABLES = [
  { id: 'Plants', name: 'Plants', key: 'id', type: 'N', expiry: undefined },
  {
    id: 'AccessTokens',
    name: 'AccessTokens',
    key: 'digest',
    type: 'S',
    expiry: 'expires',
  },
] as const;

export const tablePolicies: Policy[] = [
  {
    says: 'each table keeps its logical id and key, can be restored, and is protected if the stage is',
    violations: (synth) => {
      const { tableCeiling: ceiling, isProtected } = synth.stage;
      return [
        ...differ(
          'tables',
          find(synth, 'AWS::DynamoDB::GlobalTable')
            .map(([id]) => id)
            .sort(),
          TABLES.map(({ id }) => id).sort(),
        ),
        ...TABLES.flatMap(({ name, key, type, expiry }) =>
          every(synth, name, {
            AttributeDefinitions: [{ AttributeName: key, AttributeType: type }],
            BillingMode: 'PAY_PER_REQUEST',
            KeySchema: [{ AttributeName: key, KeyType: 'HASH' }],
            Replicas: [
              {
                DeletionProtectionEnabled: isProtected,
                PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
                ReadOnDemandThroughputSettings: ceiling && { MaxReadRequestUnits: ceiling.reads },
                Region: placeOf(synth.stage).region,
              },
            ],
            // Access tokens are deleted once they expire; plants never expire.
            TimeToLiveSpecification: expiry && { AttributeName: expiry, Enabled: true },
            WriteOnDemandThroughputSettings: ceiling && { MaxWriteRequestUnits: ceiling.writes },
          }),
        ),
      ];
    },
  },
];

import { expect, test } from 'vitest';
import { copyOf, EVERYTHING, PROTECTED, propertiesOf, UNPROTECTED } from '../synth.ts';

/** What every table has. Without a key of KMS, DynamoDB encrypts with its own (Developer Guide, "Encryption at rest"). */
const table = (name: string, type: string) => ({
  AttributeDefinitions: [{ AttributeName: name, AttributeType: type }],
  // Another key would replace the table.
  KeySchema: [{ AttributeName: name, KeyType: 'HASH' }],
  BillingMode: 'PAY_PER_REQUEST',
});
/** What every replica has. every-template.test.ts tests its tags. */
const replica = {
  PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  DeletionProtectionEnabled: true,
  Tags: expect.any(Array),
};

test('tables have their keys, can be restored, have a ceiling, and are protected', () => {
  const ceiling = {
    Replicas: [
      {
        ...replica,
        ReadOnDemandThroughputSettings: { MaxReadRequestUnits: 300 },
        Region: 'eu-west-1',
        SSESpecification: { KMSMasterKeyId: EVERYTHING.keyArn },
      },
    ],
    WriteOnDemandThroughputSettings: { MaxWriteRequestUnits: 600 },
    SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
  };
  expect(propertiesOf(copyOf(EVERYTHING), 'AWS::DynamoDB::GlobalTable')).toEqual({
    Plants: { ...table('id', 'N'), ...ceiling },
    AccessTokens: {
      ...table('digest', 'S'),
      ...ceiling,
      // Access tokens are deleted once they expire; plants never expire.
      TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true },
    },
  });
});

test('without a ceiling the quota of DynamoDB holds', () => {
  const { Plants } = propertiesOf(copyOf(PROTECTED), 'AWS::DynamoDB::GlobalTable');
  expect(Plants).toEqual({ ...table('id', 'N'), Replicas: [{ ...replica, Region: '{AWS::Region}' }] });
});

test('the tables of an unprotected stage can be deleted', () => {
  const tables = Object.values(propertiesOf(copyOf(UNPROTECTED), 'AWS::DynamoDB::GlobalTable'));
  expect(tables.map(({ Replicas }) => Replicas[0].DeletionProtectionEnabled)).toEqual([false, false]);
});

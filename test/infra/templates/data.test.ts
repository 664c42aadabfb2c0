import { expect, test } from 'vitest';
import { IS_NUMBER } from '../../../contract/key.ts';
import { EVERYTHING, PROTECTED, UNPROTECTED } from '../../support/test-stages.ts';
import { copyOf, propertiesOf } from '../synth.ts';

const tablesOf = (stage: typeof PROTECTED) => {
  const { Plants, AccessTokens } = propertiesOf(copyOf(stage), 'AWS::DynamoDB::GlobalTable');
  return { Plants, AccessTokens };
};

test('tables have their keys, can be restored, have a ceiling, are encrypted with the key of the stage, and are protected', () => {
  const table = (name: string, type: string) => ({
    AttributeDefinitions: [{ AttributeName: name, AttributeType: type }],
    // Another key would replace the table.
    KeySchema: [{ AttributeName: name, KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
    Replicas: [
      {
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        DeletionProtectionEnabled: true,
        ReadOnDemandThroughputSettings: { MaxReadRequestUnits: 300 },
        Region: 'eu-west-1',
        SSESpecification: { KMSMasterKeyId: EVERYTHING.keyArn },
        // every-template.test.ts tests them.
        Tags: expect.any(Array),
      },
    ],
    WriteOnDemandThroughputSettings: { MaxWriteRequestUnits: 600 },
    SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
  });
  expect(tablesOf(EVERYTHING)).toEqual({
    Plants: table('id', IS_NUMBER ? 'N' : 'S'),
    // Access tokens are deleted once they expire; plants never expire.
    AccessTokens: {
      ...table('digest', 'S'),
      TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true },
    },
  });
});

test('without these settings, a table has the quota and the key of DynamoDB, and can be deleted', () => {
  // Without a key of KMS, DynamoDB encrypts with its own (Developer Guide, "Encryption at rest").
  expect(JSON.stringify(tablesOf(PROTECTED))).not.toMatch(/Throughput|SSE/);
  const tables = Object.values(tablesOf(UNPROTECTED));
  expect(tables.map(({ Replicas }) => Replicas[0].DeletionProtectionEnabled)).toEqual([false, false]);
});

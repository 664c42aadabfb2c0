import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { Stage } from './stage-settings.ts';

/** The stage's own key, if it has one. Its policy is its owner's: this stack does not change it. */
export function findKey(scope: Construct, { keyArn }: Stage): IKey | undefined {
  return keyArn === undefined ? undefined : Key.fromKeyArn(scope, 'Key', keyArn);
}

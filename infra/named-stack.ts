import { type CfnElement, Stack } from 'aws-cdk-lib';

/**
 * A stack whose resources are named by their paths, such as `Plants`, without the CDK's hash, which runbook and guard would repeat.
 * Two equal names fail the synth. A stage that was deployed with other names keeps them if its stack extends `Stack`.
 */
export abstract class NamedStack extends Stack {
  protected override allocateLogicalId(element: CfnElement): string {
    const path = element.node.scopes.slice(this.node.scopes.length).map(({ node }) => node.id);
    return path
      .filter((id) => id !== 'Resource' && id !== 'Default')
      .join('')
      .replaceAll(/[^0-9A-Za-z]/g, '');
  }
}

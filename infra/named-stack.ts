import { type CfnElement, Stack } from 'aws-cdk-lib';

/**
 * A stack whose resources are named by their paths alone, such as `Plants`. The CDK would append a hash of the path, which the
 * commands of the runbook would have to repeat. Two equal names fail the synth. Another name of a deployed resource is another
 * resource, which the guard refuses: a stage that was deployed with the CDK's names keeps them if its stack extends `Stack`.
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

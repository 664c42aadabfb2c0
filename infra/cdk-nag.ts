import { type App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';

/** Checks every synth with cdk-nag's AwsSolutions rules; a finding fails it. cdk.json switches on the CDK's own rules. */
export function checkWithNag(app: App): void {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
}

/**
 * Accepts that a construct does not follow rules of cdk-nag.
 * @param reasons one for each rule, by the rule's id without its prefix, such as `APIG2`, or `IAM4[Policy::…]`
 */
export function acknowledge(construct: IConstruct, reasons: Readonly<Record<string, string>>): void {
  for (const [rule, reason] of Object.entries(reasons))
    Validations.of(construct).acknowledge({ id: `AwsSolutions-${rule}`, reason });
}

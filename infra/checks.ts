import { type App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';

/**
 * Has every synth of the app checked by cdk-nag's AwsSolutions rules. A finding fails the synth; where a rule is not
 * followed, the construct acknowledges it and says why. The CDK's own default rules are switched on in cdk.json.
 */
export function checkWithNag(app: App): void {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
}

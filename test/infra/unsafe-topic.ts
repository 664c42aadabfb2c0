/** Loaded before the app: gives its stack a topic that breaks a rule of cdk-nag and one of the CDK. */
import { App, type CfnResource, Stack } from 'aws-cdk-lib';
import { Topic } from 'aws-cdk-lib/aws-sns';

const { synth } = App.prototype;
App.prototype.synth = function (options) {
  const topic = new Topic(this.node.children.find(Stack.isStack) as Stack, 'Unsafe');
  (topic.node.defaultChild as CfnResource).addPropertyOverride('Unknown', true);
  return synth.call(this, options);
};

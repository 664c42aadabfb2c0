import { Validations } from 'aws-cdk-lib';
import type { Method, RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { Stage } from './stages.ts';

/** Says, on the construct it is about, why a rule of cdk-nag is not followed at the gateway. */
export function acknowledgeApi(rest: RestApi, create: Method, stage: Stage): void {
  Validations.of(rest).acknowledge({
    id: 'AwsSolutions-APIG2',
    reason:
      'The function validates. The gateway would read the id as a double and so take an integer that no int64 ' +
      'holds, and could not name the property that is wrong.',
  });
  Validations.of(create).acknowledge(
    {
      id: 'AwsSolutions-APIG4',
      reason:
        'The function checks the access token of every request before anything else (docs/decisions/0005): an ' +
        'authorizer would be a second function with cold starts of its own, for one look-up.',
    },
    {
      id: 'AwsSolutions-COG4',
      reason:
        'Access tokens are opaque and issued by the operator (docs/decisions/0003); there is no user pool.',
    },
  );
  Validations.of(rest.node.findChild('CloudWatchRole')).acknowledge({
    id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
    reason:
      'API Gateway names this policy for the one role of the account with which it writes all its logs; it cannot ' +
      'be narrower, because the log groups of other APIs in the account are written with it too.',
  });
  Validations.of(rest.deploymentStage).acknowledge({
    id: 'AwsSolutions-APIG6',
    reason:
      'Execution logs would write request headers to a log group without retention that no template owns; the ' +
      'access log and the request line of the function say what is needed.',
  });
  if (stage.firewall === undefined) {
    Validations.of(rest.deploymentStage).acknowledge({
      id: 'AwsSolutions-APIG3',
      reason:
        'A firewall costs about 6 dollars a month before the first request, so the stage file switches it on; ' +
        'without it the stage throttle bounds what a stranger can spend.',
    });
  }
}

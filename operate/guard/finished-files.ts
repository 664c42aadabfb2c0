import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { onFile } from '../../cli/file-error.ts';
import { PlainError } from '../../cli/plain-error.ts';
import { stackName } from '../../infra/stack-names.ts';
import type { Stage } from '../../infra/stage-settings.ts';

const any = z.unknown().optional();
/** A file or a folder in `cdk.out` itself. */
const entry = z.string().regex(/^\w[\w.-]*$/);

/**
 * What a finished `cdk.out` may have for a stage. A job without an identity has written it, with packages that are not trusted, and the CDK does
 * what it says with the identity of this one: it would run a program or build an image for an asset (`executable`, `dockerImages`: cloud-assembly-schema
 * of the CDK), upload a file of this machine, deploy another stack before this one, or another template than the one that is compared.
 * @param template the SHA-256 of the template, by which it is uploaded
 */
function schemas({ name, account, region, isProtected }: Stage, template: string) {
  const stack = stackName(name);
  const { context } = JSON.parse(readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8'));
  // The CDK's names of what `cdk bootstrap` has made.
  const place = [account ?? `\${AWS::AccountId}`, region ?? `\${AWS::Region}`] as const;
  const prefix = `cdk-${context['@aws-cdk/core:bootstrapQualifier'] ?? 'hnb659fds'}`;
  const bucket = `${prefix}-assets-${place.join('-')}`;
  const role = (of: string) =>
    z.literal(`arn:\${AWS::Partition}:iam::${place[0]}:role/${prefix}-${of}-role-${place.join('-')}`);
  const templateFile = `${stack}.template.json`;
  const assets = { artifact: `${stack}.assets`, file: `${stack}.assets.json` };
  const bootstrap = { requiresBootstrapStackVersion: any, bootstrapStackVersionSsmParameter: any };
  const source = z.strictObject({ path: entry, packaging: z.enum(['file', 'zip']) });
  const destination = z.strictObject({
    bucketName: z.literal(bucket),
    objectKey: entry,
    assumeRoleArn: role('file-publishing'),
    region: any,
  });
  const file = z
    .strictObject({ displayName: any, source, destinations: z.record(z.string(), destination) })
    .refine(
      ({ source, destinations }) =>
        source.path === templateFile ||
        Object.values(destinations).every(({ objectKey }) => objectKey !== `${template}.json`),
      'in place of the template',
    );
  return {
    [assets.file]: z.strictObject({
      version: any,
      files: z.record(z.string(), file),
      dockerImages: z.strictObject({}).optional(),
    }),
    'manifest.json': z.looseObject({
      missing: z.never().optional(),
      artifacts: z.looseObject({
        [assets.artifact]: z.strictObject({
          type: z.literal('cdk:asset-manifest'),
          properties: z.strictObject({ file: z.literal(assets.file), ...bootstrap }),
        }),
        [stack]: z.strictObject({
          type: z.literal('aws:cloudformation:stack'),
          dependencies: z.tuple([z.literal(assets.artifact)]),
          environment: any,
          metadata: any,
          additionalMetadataFile: entry.optional(),
          displayName: any,
          properties: z.strictObject({
            templateFile: z.literal(templateFile),
            stackTemplateAssetObjectUrl: z.literal(`s3://${bucket}/${template}.json`),
            additionalDependencies: z.tuple([z.literal(assets.artifact)]),
            assumeRoleArn: role('deploy'),
            cloudFormationExecutionRoleArn: role('cfn-exec'),
            lookupRole: z.strictObject({ arn: role('lookup'), ...bootstrap }),
            terminationProtection: isProtected ? z.literal(true) : any,
            tags: any,
            validateOnSynth: any,
            ...bootstrap,
          }),
        }),
      }),
    }),
  };
}

/**
 * Refuses a finished `cdk.out` that is more than a template and files of a stage.
 * @throws PlainError with the file and the place in it
 */
export function refuseMoreThanFiles(folder: string, stage: Stage, template: string): void {
  for (const [name, schema] of Object.entries(schemas(stage, hash('sha256', template)))) {
    const file = path.join(folder, name);
    const found = JSON.parse(onFile(file, 'read', () => readFileSync(file, 'utf8')));
    const [issue] = schema.safeParse(found).error?.issues ?? [];
    if (issue)
      throw new PlainError(
        `${file} is not as the CDK writes it for ${stackName(stage.name)}: ${issue.path.join('.')}: ${issue.message}. Nothing of it is deployed.`,
      );
  }
}

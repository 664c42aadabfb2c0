import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { App, type Stack } from 'aws-cdk-lib';
import { bundle } from '../../infra/bundle.ts';
import { allStages, findStage } from '../../infra/find-stage.ts';
import { optionalVariables } from '../../infra/optional-code.ts';
import { type Pipeline, PipelineStack } from '../../infra/pipeline-stack.ts';
import { type Deployment, PlantStoreStack } from '../../infra/plant-store-stack.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import { DEFAULT_STAGE, STAGES } from '../../infra/stages.ts';
import { EVERYTHING, PRIVATE } from '../support/test-stages.ts';

// Templates have no useful static type; each test states what it expects.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Json = any;

/** A resource of a template. */
export interface Resource {
  readonly Type: string;
  readonly Properties: Json;
  readonly DeletionPolicy?: string;
}

/** What `cdk deploy` would send to CloudFormation. */
export interface Synth {
  readonly template: { readonly Resources: Record<string, Resource>; readonly Outputs: Record<string, Json> };
  /** Settings of the stack that are not in its template. */
  readonly stack: Json;
}

/** The context of cdk.json. Collecting stack traces would take most of the time of a synth. */
export const CONTEXT = {
  ...JSON.parse(readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8')).context,
  'aws:cdk:disable-stack-trace': true,
  // A second function of one's own is not bundled.
  'aws:cdk:bundling-stacks': [],
};

/** The stages of the rules for all templates: those of the stage file, a developer's own, and two with options. */
export const TESTED_STAGES: readonly Stage[] = [
  ...allStages(),
  // A protected one has no copies.
  ...(STAGES[DEFAULT_STAGE]?.isProtected === false ? [findStage(`${DEFAULT_STAGE}-anna2`)] : []),
  EVERYTHING,
  PRIVATE,
];

const synthesized = new Map<string, Synth>();

/** A copy of a stage's synth that a test may change; stages with the same settings are synthesized once per process. */
export function copyOf(stage: Stage): Synth {
  const settings = JSON.stringify(stage);
  const found = synthesized.get(settings) ?? synth(stage);
  synthesized.set(settings, found);
  return structuredClone(found);
}

/** Synthesizes a stage, without bundling. @param change modifies the stack */
export function synth(
  stage: Stage,
  change?: (stack: PlantStoreStack) => void,
  deployment?: Deployment,
): Synth {
  const stack = new PlantStoreStack(newApp(), stage, deployment);
  change?.(stack);
  return readStack(stack);
}

/** Synthesizes a stage with the function's asset, and returns the asset's folder, which exists until the run ends. */
export async function synthWithAsset(stage: Stage): Promise<{ result: Synth; asset: string }> {
  const app = newApp();
  const bundled = join(app.outdir, 'bundle');
  await bundle(bundled, Object.keys(optionalVariables(stage)), stage.plain);
  const result = readStack(new PlantStoreStack(app, stage, { bundle: bundled }));
  const { S3Key } = resource(result, 'Function').Properties.Code;
  return { result, asset: join(app.outdir, `asset.${basename(S3Key, '.zip')}`) };
}

/** Synthesizes the stack of the pipeline. @param context keys beside those of cdk.json */
export function synthPipeline(hasProvider: boolean, context?: object, others?: Partial<Pipeline>): Synth {
  const app = newApp(context);
  const pipeline = { repository: 'octo@1/plants@2', stages: ['dev-anna', 'prod'], hasProvider, ...others };
  return readStack(new PipelineStack(app, pipeline));
}

/** Makes an app, which checks no rule. @param context keys beside those of cdk.json */
export function newApp(context?: object): App {
  return new App({
    context: { ...CONTEXT, ...context },
    builtinCloudFormationValidation: false,
    // Nobody reads these, and they take a third of the time.
    stackTraces: false,
    treeMetadata: false,
    analyticsReporting: false,
  });
}

/** Synthesizes the app of a stack, and reads what belongs to the stack. */
export function readStack({ node, artifactId }: Stack): Synth {
  const { template, tags, environment, ...artifact } = (node.root as App)
    .synth()
    .getStackArtifact(artifactId);
  const { account, region } = environment;
  const { terminationProtection = false } = artifact;
  return { template, stack: { account, region, tags, terminationProtection } };
}

/** The resources of a type, with their logical ids. */
export function resources({ template }: Synth, type: string): [id: string, resource: Resource][] {
  return Object.entries(template.Resources).filter(([, { Type }]) => Type === type);
}

/** A resource of ours by its id: a service of one's own may have more of its type. */
export function resource({ template }: Synth, id: string): Resource {
  const found = template.Resources[id];
  if (found === undefined) throw new Error(`no ${id}`);
  return found;
}

/** The only resource of a type. */
export function only(synth: Synth, type: string): Resource {
  const [[, resource] = [], ...others] = resources(synth, type);
  if (resource === undefined || others.length > 0) throw new Error(`not exactly one ${type}`);
  return resource;
}

/** What the CDK appends to the ids of versions and deployments. */
const DIGITS = /(?<=\w)[0-9a-f]{32}$/;

/** A value of a template with its references as text: `{Plants}` or `{Plants.Arn}`, without the CDK's digits. */
export function plain(value: Json): Json {
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(plain);
  const [name, argument] = Object.entries<Json>(value)[0] ?? [];
  if (name === 'Ref') return `{${argument.replace(DIGITS, '')}}`;
  if (name === 'Fn::GetAtt') return `{${argument[0].replace(DIGITS, '')}.${argument[1]}}`;
  if (name === 'Fn::Sub') return argument.replaceAll('${', '{');
  if (name === 'Fn::Join') return argument[1].map(plain).join(argument[0]);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}

/** The properties of all resources of a type by their ids, as {@link plain} text and without descriptions. */
export function propertiesOf(synth: Synth, type: string): Record<string, Json> {
  return Object.fromEntries(
    resources(synth, type).map(([id, { Properties }]) => {
      const { Description: _, ...properties } = plain(Properties ?? {});
      return [id.replace(DIGITS, ''), properties];
    }),
  );
}

/** The properties of all roles, without the permissions boundary that a company may have in cdk.json. */
export function rolesOf(synth: Synth): Record<string, Json> {
  const roles = Object.entries(propertiesOf(synth, 'AWS::IAM::Role'));
  return Object.fromEntries(roles.map(([id, { PermissionsBoundary: _, ...role }]) => [id, role]));
}

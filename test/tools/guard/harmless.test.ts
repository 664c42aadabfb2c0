import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec';
import { describe, expect, test } from 'vitest';
import { findLosses } from '../../../tools/guard/losses.ts';
import { isReplaceable } from '../../../tools/guard/replaceable.ts';
import { copyOf, EVERYTHING, type Json, UNPROTECTED } from '../../infra/synth.ts';

const everyChange = 'every change';
const becomesTrue = 'false to true, absent to true, a reference to true';
const isKeptLonger = '10 to 20, 10 to absent, 20 to absent';
const forPeople = 'text for people';
/**
 * The types that hold data or an address, each with the only changes that may pass: the property, what happens to it, and
 * the reason.
 */
const HARMLESS: Readonly<Record<string, readonly [path: string, changes: string, reason: string][]>> = {
  'AWS::DynamoDB::GlobalTable': [
    ['Replicas.DeletionProtectionEnabled', becomesTrue, 'more protection, whatever there was'],
    [
      'Replicas.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled',
      becomesTrue,
      'more backups, whatever there was',
    ],
    [
      'Replicas.PointInTimeRecoverySpecification.RecoveryPeriodInDays',
      isKeptLonger,
      'backups are kept for longer; without a number, for 35 days, the most',
    ],
    [
      'Replicas.PointInTimeRecoverySpecification',
      'object 1 to object 2',
      'from off, with 10 days, to on, with 20',
    ],
    ['Replicas.ReadOnDemandThroughputSettings', everyChange, 'the ceiling refuses reads; nothing is removed'],
    ['WriteOnDemandThroughputSettings', everyChange, 'the ceiling refuses writes; nothing is removed'],
  ],
  'AWS::Logs::LogGroup': [
    ['RetentionInDays', isKeptLonger, 'entries are kept for longer; without a number, for ever'],
  ],
  'AWS::KMS::Key': [
    ['Description', everyChange, forPeople],
    ['EnableKeyRotation', becomesTrue, 'earlier key material is kept'],
  ],
  'AWS::KMS::Alias': [],
  'AWS::Lambda::Alias': [
    ['Description', everyChange, forPeople],
    ['FunctionVersion', everyChange, 'what a deployment is for; the address stays'],
  ],
  'AWS::ApiGateway::RestApi': [
    ['Description', everyChange, forPeople],
    ['Name', everyChange, 'the base URL has the generated id'],
  ],
  'AWS::ApiGateway::Stage': [
    ['Description', everyChange, forPeople],
    ['DeploymentId', everyChange, 'what a deployment is for; the address stays'],
    ['AccessLogSetting', everyChange, 'entries stay in their log group, which is judged by itself'],
    ['TracingEnabled', everyChange, 'traces are no data of ours, and expire'],
    ['MethodSettings.ThrottlingRateLimit', everyChange, 'the throttle refuses requests; the address stays'],
    ['MethodSettings.ThrottlingBurstLimit', everyChange, 'as the rate'],
  ],
  'AWS::ApiGateway::DomainName': [
    ['RegionalCertificateArn', everyChange, 'certificates are renewed; one for another name is refused'],
  ],
  'AWS::ApiGateway::BasePathMapping': [],
  'AWS::Route53::RecordSet': [],
  'AWS::SNS::Topic': [['DisplayName', everyChange, forPeople]],
};
/** Only a fork has them. */
const KEYS = ['AWS::KMS::Key', 'AWS::KMS::Alias'];

test('every type of the templates holds data or an address, or can be created again', () => {
  const types = [UNPROTECTED, EVERYTHING]
    .flatMap((stage) => Object.values(copyOf(stage).template.Resources))
    .map(({ Type }) => Type);
  expect([...new Set(types), ...KEYS].filter((type) => !isReplaceable(type)).sort()).toEqual(
    Object.keys(HARMLESS).sort(),
  );
});

const spec = loadAwsServiceSpecSync();

/** A place in a property: two values for it, and what makes the property from a value; undefined: the place is empty. */
interface Place {
  readonly path: string;
  readonly values: readonly [Json, Json];
  readonly within: (value: Json) => Json;
  readonly isElement?: boolean;
}

/** All places in a property that AWS's schema describes. @param around the types around it, which can be recursive */
function placesOf(type: Json, path: string, around: readonly string[] = []): Place[] {
  const here = (one: Json, two: Json): Place => ({ path, values: [one, two], within: (value) => value });
  const wrapped = (places: Place[], wrap: Place['within']) =>
    places.map((each) => ({ ...each, within: (value: Json) => wrap(each.within(value)) }));
  switch (type.type) {
    case 'boolean':
      return [here(false, true)];
    case 'integer':
    case 'number':
      return [here(10, 20)];
    case 'string':
      return [here('one', 'two')];
    case 'union':
      return type.types.flatMap((each: Json) => placesOf(each, path, around));
    case 'array': {
      const [first, ...others] = wrapped(placesOf(type.element, path, around), (value) => [value]);
      if (first === undefined) return [];
      const [one, two] = first.values.map(first.within);
      return [here(one, [...two, ...one]), { ...first, isElement: true }, ...others];
    }
    case 'ref': {
      const { $ref } = type.reference;
      const properties: [string, Json][] = Object.entries(spec.get('typeDefinition', $ref).properties);
      if (around.includes($ref) || properties.length === 0) return [here({ one: 1 }, { two: 2 })];
      // A replica is known by its Region.
      const others = path === 'Replicas' ? { Region: 'eu-west-1' } : {};
      const parts = properties.map(([name, each]) =>
        wrapped(placesOf(each.type, `${path}.${name}`, [...around, $ref]), (value) => ({
          ...others,
          ...(value !== undefined && { [name]: value }),
        })),
      );
      const whole = (index: 0 | 1) =>
        Object.assign({}, ...parts.flatMap(([each]) => (each ? each.within(each.values[index]) : [])));
      return [here(whole(0), whole(1)), ...parts.flat()];
    }
    // JSON, maps, tags.
    default:
      return [here({ Key: 'one', Value: 'a' }, { Key: 'two', Value: 'a' })];
  }
}

/** A change of one resource: both templates, and a name for what happens. */
interface Change {
  readonly type: string;
  readonly path: string;
  readonly what: string;
  readonly before: Json;
  readonly after: Json;
}

const template = (type: string, Properties: Json, Default = 'a') => ({
  Parameters: { Setting: { Type: 'String', Default } },
  Resources: { It: { Type: type, Properties } },
});

function changesAt(type: string, property: string, { path, values, within, isElement }: Place): Change[] {
  const reference = { Ref: 'Setting' };
  const all: [string, Json][] = [
    ...values.map((each, index): [string, Json] => [
      typeof each === 'object' ? `object ${index + 1}` : String(each),
      each,
    ]),
    ...(isElement ? [] : [['absent', undefined] as [string, Json]]),
    ['a reference', reference],
  ];
  const made = (value: Json, Default?: string) => {
    const whole = within(value);
    return template(type, whole === undefined ? {} : { [property]: whole }, Default);
  };
  const pairs = all.flatMap(([was, before]) =>
    all
      .filter(([is]) => is !== was)
      .map(([is, after]) => ({
        type,
        path,
        what: `${was} to ${is}`,
        before: made(before),
        after: made(after),
      })),
  );
  const what = 'what a reference means';
  return [...pairs, { type, path, what, before: made(reference), after: made(reference, 'b') }];
}

test('every change of every property that AWS knows is refused, unless it is harmless', () => {
  const changes = Object.keys(HARMLESS).flatMap((type) => {
    const [resource] = spec.lookup('resource', 'cloudFormationType', 'equals', type);
    const properties: [string, Json][] = Object.entries(resource?.properties ?? {});
    const all: [string, Json][] = [...properties, ['NewerThanTheSchema', { type: { type: 'json' } }]];
    return all.flatMap(([name, each]) =>
      placesOf(each.type, name).flatMap((place) => changesAt(type, name, place)),
    );
  });
  const isHarmless = ({ type, path, what }: Change) =>
    HARMLESS[type]?.some(([place, whats]) =>
      whats === everyChange
        ? `${path}.`.startsWith(`${place}.`)
        : path === place && whats.split(', ').includes(what),
    );
  const inWords = ({ type, path, what }: Change) => `${type} ${path}: ${what}`;
  const passing = changes.filter(({ before, after }) => findLosses(before, after).length === 0);
  expect(passing.map(inWords)).toEqual(changes.filter(isHarmless).map(inWords));
  expect(new Set(passing.map(({ type, path }) => `${type} ${path}`)).size).toBeGreaterThanOrEqual(
    Object.values(HARMLESS).flat().length,
  );
  expect(changes.length).toBeGreaterThan(4_000);
});

describe('attributes of a resource', () => {
  const values = ['Retain', 'RetainExceptOnCreate', 'Snapshot', 'Delete', undefined, { Ref: 'Setting' }];
  const others = [undefined, 'A', ['B'], { C: 1 }];
  const logGroup = (attribute: string, value: Json) => {
    const { Parameters, Resources } = template('AWS::Logs::LogGroup', {});
    const attributes = value === undefined ? {} : { [attribute]: value };
    return { Parameters, Resources: { It: { ...Resources.It, ...attributes } } };
  };
  const passing = (attribute: string, all: readonly Json[]) =>
    all.flatMap((was) =>
      all
        .filter((is) => is !== was)
        .filter((is) => findLosses(logGroup(attribute, was), logGroup(attribute, is)).length === 0)
        .map((is) => `${JSON.stringify(was)} to ${is}`),
    );
  test.each([
    ['DeletionPolicy', ['Retain', 'RetainExceptOnCreate']],
    // CloudFormation Template Reference, UpdateReplacePolicy: RetainExceptOnCreate is not one of its options.
    ['UpdateReplacePolicy', ['Retain']],
  ])('%s may only become: %j', (attribute, kept) => {
    const expected = values.flatMap((was) =>
      kept.filter((is) => is !== was).map((is) => `${JSON.stringify(was)} to ${is}`),
    );
    expect(passing(attribute, values).sort()).toEqual(expected.sort());
  });

  test.each([
    ['DependsOn', true],
    ['Metadata', true],
    ['UpdatePolicy', true],
    ['CreationPolicy', false],
    ['Condition', false],
    ['Type', false],
    ['NewerThanTheSchema', false],
  ])('%s may change: %s', (attribute, may) => {
    const all = attribute === 'Type' ? ['AWS::Logs::LogGroup', 'AWS::SNS::Topic'] : others;
    expect(passing(attribute, all)).toHaveLength(may ? 12 : 0);
  });
});

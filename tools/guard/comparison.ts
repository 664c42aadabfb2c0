import { isDeepStrictEqual } from 'node:util';
import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec';
import { harmlessChanges, type Kind } from './kinds.ts';
import { type Pair, pairsOf, partsOf } from './pairs.ts';
import { field, isResolvedLater, type Reference, referencesOf } from './references.ts';
import type { Resource, Template } from './templates.ts';

/** A change that is not known to be harmless. */
export interface Change extends Pair {
  /** If the text stays the same: what it refers to and what changes. */
  readonly because?: string;
}

/**
 * Compares the resources that are in both templates. What CloudFormation resolves during the deployment counts as unchanged
 * if its text is the same and nothing that the text refers to changes; any other change of it is not harmless.
 */
export class Comparison {
  readonly #before: Template;
  readonly #after: Template;
  readonly #changing = new Map<string, boolean>();

  constructor(before: Template, after: Template) {
    this.#before = before;
    this.#after = after;
  }

  /**
   * The changes of a resource that are not known to be harmless.
   * @param id its logical id
   * @param harmless the changes that are, by their paths; if absent, those of its type
   */
  changesOf(id: string, harmless?: Kind['harmless']): Change[] {
    const [was, is] = this.#resource(id);
    const known = harmless ?? harmlessChanges(was?.Type ?? '');
    return this.#judge({ was, is, key: '', path: '', pattern: '' }, known);
  }

  /** The names of what changes and to which a value refers that is in both templates. */
  changingReferences(value: unknown): string[] {
    const changing = referencesOf(value).filter((each) => this.#changes(each));
    return changing.map(({ name }) => name);
  }

  /** The parameters, conditions, mappings and resources to which values refer, at any depth, and whose definitions differ. */
  changedDefinitions(...values: readonly unknown[]): [name: string, definitions: unknown[]][] {
    const found = new Map<string, unknown[]>();
    const collect = (value: unknown) => {
      for (const { name } of referencesOf(value)) {
        if (found.has(name)) continue;
        const definitions = [this.#before, this.#after].map((template) => definitionsIn(template, name));
        found.set(name, definitions);
        collect(definitions);
      }
    };
    collect(values);
    return [...found].filter(([, [was, is]]) => !isDeepStrictEqual(was, is));
  }

  #judge(pair: Pair, harmless: Kind['harmless']): Change[] {
    const isSame = isDeepStrictEqual(pair.was, pair.is);
    const because = isSame ? this.#changingReference(pair) : undefined;
    if (isSame && because === undefined) return [];
    const rule = Object.hasOwn(harmless, pair.pattern) ? harmless[pair.pattern] : undefined;
    if (rule) return rule(pair.was, pair.is) ? [] : [{ ...pair, because }];
    const parts = partsOf(pair, Object.keys(harmless));
    return parts ? parts.flatMap((each) => this.#judge(each, harmless)) : [{ ...pair, because }];
  }

  #isUnchanged(pair: Pair): boolean {
    return isDeepStrictEqual(pair.was, pair.is) && this.#changingReference(pair) === undefined;
  }

  #changingReference({ key, was }: Pair): string | undefined {
    return this.changingReferences({ [key]: was })[0];
  }

  #changes(reference: Reference): boolean {
    const key = JSON.stringify(reference);
    const found = this.#changing.get(key);
    if (found !== undefined) return found;
    // The answer within a circle of references, which CloudFormation refuses.
    this.#changing.set(key, true);
    const answer = this.#changesNow(reference);
    this.#changing.set(key, answer);
    return answer;
  }

  #changesNow({ to, name, attribute }: Reference): boolean {
    const section = ({ value: 'Parameters', condition: 'Conditions', mappings: 'Mappings' } as const)[to];
    const [before, after] = [this.#before[section], this.#after[section]];
    const isWhole = to === 'mappings' || isResolvedLater(before) || isResolvedLater(after);
    if (isWhole && !isDeepStrictEqual(before, after)) return true;
    if (to === 'mappings') return false;
    const pair = { key: name, path: name, pattern: name, was: field(before, name), is: field(after, name) };
    if (!this.#isUnchanged(pair)) return true;
    const [was, is] = this.#resource(name);
    // A parameter, a condition, a pseudo parameter such as AWS::AccountId, or a variable of Fn::Sub.
    if (to === 'condition' || (!was && !is)) return false;
    if (!was || !is || this.#isReplaced(was, is)) return true;
    return attribute !== undefined && attribute !== 'Arn' && this.changesOf(name).length > 0;
  }

  /** Whether a resource gets another name or ARN, so far as AWS's data on the properties says. */
  #isReplaced(was: Resource, is: Resource): boolean {
    const condition = { key: 'Condition', path: '', pattern: '', was: was.Condition, is: is.Condition };
    if (was.Type !== is.Type || !this.#isUnchanged(condition)) return true;
    const isRewritten = [was, was.Properties, is, is.Properties].some(isResolvedLater);
    if (isRewritten && !isDeepStrictEqual(was, is)) return true;
    return pairsOf(was.Properties, is.Properties).some(
      (pair) => !this.#isUnchanged(pair) && replaces(was.Type, pair.key),
    );
  }

  #resource(id: string): (Resource | undefined)[] {
    return [this.#before, this.#after].map(({ Resources }) => field(Resources, id) as Resource | undefined);
  }
}

function definitionsIn({ Parameters, Conditions, Mappings, Resources }: Template, name: string): unknown[] {
  const defined = [Parameters, Conditions, Resources].map((section) =>
    isResolvedLater(section) ? section : field(section, name),
  );
  return name === 'Mappings' ? [...defined, Mappings] : defined;
}

/** Whether a change of a property can replace its resource. The first call loads AWS's data, which takes a second. */
function replaces(type: string, property: string): boolean {
  spec ??= loadAwsServiceSpecSync();
  const [resource] = spec.lookup('resource', 'cloudFormationType', 'equals', type);
  const found =
    resource && Object.hasOwn(resource.properties, property) ? resource.properties[property] : undefined;
  return found === undefined || (found.causesReplacement ?? 'no') !== 'no';
}

let spec: ReturnType<typeof loadAwsServiceSpecSync> | undefined;

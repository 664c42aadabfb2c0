import type http from 'node:http';
import type { Operation } from '../support/acts.ts';
import type { Clock } from '../support/clock.ts';
import { isTrue, type Texts } from './condition.ts';
import { type Answer, Outgoing } from './outgoing.ts';
import type { StoreFate } from './plan.ts';

/** The parameters of a call, in DynamoDB's JSON. */
interface Parameters {
  readonly Key: { readonly digest: { readonly S: string } };
  readonly Item: Texts;
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Texts;
}

/** Decides what happens to an attempt. @param text describes the call, for the story */
export type Decide = (operation: Operation, copy: string) => StoreFate;

interface Options {
  readonly clock: Clock;
  readonly decide: Decide;
  readonly note: (text: string) => void;
}

const DENIED = error('AccessDeniedException');
const THROTTLED = error('ThrottlingException');
const INTERNAL = { status: 500, body: error('InternalServerError').body };

/** DynamoDB as one copy of the function sees it: through `http.request`. Its effects happen when the clock says so. */
export class SimulatedStore {
  /** Items by table and key; attributes in DynamoDB's JSON. */
  readonly plants = new Map<string, Texts>();
  /** Access tokens by digest. */
  readonly tokens = new Map<string, { readonly name: string; readonly expires: number }>();
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  readonly request = ({ host, headers, signal }: http.RequestOptions): Outgoing => {
    const operation = String((headers as Record<string, string>)['x-amz-target']).split('.')[1] as Operation;
    const outgoing = new Outgoing(signal);
    outgoing.once('sent', (body: string) => {
      const fate = this.#options.decide(operation, String(host));
      this.#play(fate, outgoing, operation, JSON.parse(body));
    });
    return outgoing;
  };

  /** Executes the call and ends the attempt, each when its time has come, even if the function has given it up. */
  #play({ end, arrives, ends }: StoreFate, outgoing: Outgoing, operation: Operation, call: Parameters): void {
    const { clock } = this.#options;
    if (end === 'no connection') return;
    if (end === 'refuse') return void clock.setTimeout(() => outgoing.fail('ECONNREFUSED'), ends);
    clock.setTimeout(() => outgoing.connected(), 0);
    if (end === 'throttle') return void clock.setTimeout(() => outgoing.answer(THROTTLED), ends);
    if (end === 'deny') return void clock.setTimeout(() => outgoing.answer(DENIED), ends);
    if (end === 'reset') clock.setTimeout(() => outgoing.fail('ECONNRESET'), ends);
    if (end === '500') clock.setTimeout(() => outgoing.answer(INTERNAL), ends);
    if (arrives === undefined) return;
    clock.setTimeout(() => {
      const answer = operation === 'GetItem' ? this.#get(call) : this.#put(call);
      if (end === 'answer') clock.setTimeout(() => outgoing.answer(answer), ends);
    }, arrives);
  }

  #get({ Key }: Parameters): Answer {
    const found = this.tokens.get(Key.digest.S);
    if (!found) return ok({});
    return ok({ Item: { name: { S: found.name }, expires: { N: String(found.expires) } } });
  }

  #put({ Item, ConditionExpression, ...placeholders }: Parameters): Answer {
    const id = Item.id?.N ?? '';
    const before = this.plants.get(id);
    const { ExpressionAttributeNames: names, ExpressionAttributeValues: values = {} } = placeholders;
    if (!isTrue(ConditionExpression, before ?? {}, names, values)) {
      this.#options.note(`the store refuses ${textOf(Item)}: id ${id} has ${textOf(before)}`);
      return error('ConditionalCheckFailedException');
    }
    this.plants.set(id, Item);
    this.#options.note(`the store writes ${textOf(Item)} under id ${id}, which had ${textOf(before)}`);
    return ok(before === undefined ? {} : { Attributes: before });
  }
}

/** A plant's texts as one text. */
export function textOf(item: Texts | undefined): string {
  if (item === undefined) return 'nothing';
  return item.tag === undefined ? `${item.name?.S}` : `${item.name?.S}, ${item.tag.S}`;
}

function ok(body: object): Answer {
  return { status: 200, body: JSON.stringify(body) };
}

function error(type: string): Answer {
  const body = { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'as AWS says it' };
  return { status: 400, body: JSON.stringify(body) };
}

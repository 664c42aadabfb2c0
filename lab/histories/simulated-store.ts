import type http from 'node:http';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { checkConditional } from 'dynalite/db/index.js';
import { validateExpressions } from 'dynalite/validations/index.js';
import type { Plant } from '../../contract/examples.ts';
import { exception, type Operation, ok, type StoreResponse } from '../../test/support/acts.ts';
import type { Clock } from '../../test/support/clock.ts';
import { Outgoing } from './outgoing.ts';
import type { StoreFate } from './plan.ts';

/** Attributes of an item, in DynamoDB's JSON. */
type Attributes = Readonly<Record<string, AttributeValue>>;

/** The parameters of a call that are read here; dynalite reads those of a condition. */
interface Parameters {
  readonly Key: { readonly digest: { readonly S: string } };
  readonly Item: Attributes;
}

/** What the function hears at the end of an attempt, other than the response of the executed call. */
const ENDS = {
  refuse: (outgoing: Outgoing) => outgoing.fail('ECONNREFUSED'),
  reset: (outgoing: Outgoing) => outgoing.fail('ECONNRESET'),
  throttle: (outgoing: Outgoing) => outgoing.respond(exception('ThrottlingException')),
  deny: (outgoing: Outgoing) => outgoing.respond(exception('AccessDeniedException')),
  '500': (outgoing: Outgoing) => outgoing.respond(exception('InternalServerError', 500)),
};

/** DynamoDB as one copy of the function sees it: through `http.request`. Its effects happen when the clock says so. */
export class SimulatedStore {
  /** Items by table and key; attributes in DynamoDB's JSON. */
  readonly plants = new Map<string, Attributes>();
  readonly #digest: string;
  readonly #clock: Clock;
  readonly #decide: (operation: Operation, copy: string) => StoreFate;

  /**
   * @param digest of the one access token
   * @param decide what happens to an attempt of a copy of the function
   */
  constructor(digest: string, clock: Clock, decide: (operation: Operation, copy: string) => StoreFate) {
    this.#digest = digest;
    this.#clock = clock;
    this.#decide = decide;
  }

  readonly request = ({ host, headers, signal }: http.RequestOptions): Outgoing => {
    const operation = String((headers as Record<string, string>)['x-amz-target']).split('.')[1] as Operation;
    const outgoing = new Outgoing(signal);
    outgoing.once('sent', (body: string) => {
      const fate = this.#decide(operation, String(host));
      this.#play(fate, outgoing, operation, JSON.parse(body));
    });
    return outgoing;
  };

  /** Executes the call and ends the attempt, each when its time has come, even if the function has given it up. */
  #play({ end, arrives, ends }: StoreFate, outgoing: Outgoing, operation: Operation, call: Parameters): void {
    const clock = this.#clock;
    if (end === 'no connection') return;
    if (end !== 'refuse') clock.setTimeout(() => outgoing.connected(), 0);
    if (end !== 'response') clock.setTimeout(() => ENDS[end](outgoing), ends);
    if (arrives === undefined) return;
    clock.setTimeout(() => {
      const response = operation === 'GetItem' ? this.#get(call) : this.#put(call);
      if (end === 'response') clock.setTimeout(() => outgoing.respond(response), ends);
    }, arrives);
  }

  #get({ Key }: Parameters): StoreResponse {
    if (Key.digest.S !== this.#digest) return ok({});
    return ok({ Item: { name: { S: 'history' }, expires: { N: '32503680000' } } });
  }

  #put({ Item, ...others }: Parameters): StoreResponse {
    const id = Item.id?.N ?? '';
    const before = this.plants.get(id);
    const condition = conditionOf(others);
    if (!condition) return exception('ValidationException');
    if (checkConditional(condition, before)) return exception('ConditionalCheckFailedException');
    this.plants.set(id, Item);
    return ok(before === undefined ? {} : { Attributes: before });
  }
}

/** The conditions that were read so far; reading one takes longer than everything else in its history. */
const conditions = new Map<string, object | undefined>();

/** Reads the condition of a put as dynalite does. @returns undefined if DynamoDB would refuse it */
function conditionOf(put: object): object | undefined {
  const text = JSON.stringify(put);
  if (!conditions.has(text)) conditions.set(text, validateExpressions(put) === undefined ? put : undefined);
  return conditions.get(text);
}

/** A plant's properties but the id as one text. */
export function textOf({ id: _, ...plant }: Plant): string {
  return JSON.stringify(Object.entries(plant).sort());
}

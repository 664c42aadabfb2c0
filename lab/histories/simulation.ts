import { tokenDigest } from '../../lambda/store/access-token-table.ts';
import { formatToken } from '../../lambda/store/token-format.ts';
import { Clock } from '../../test/support/clock.ts';
import { carry } from './carry.ts';
import { Fleet } from './fleet.ts';
import type { Attempt, Call, History, Token } from './history.ts';
import { EPOCH } from './machine.ts';
import { DIRECT, describe, FAIR, type Plan, type PlannedPlant, type RequestFate, type Step } from './plan.ts';
import { mulberry32 } from './random.ts';
import { SimulatedStore, textOf } from './simulated-store.ts';
import type { Subject } from './subject.ts';

/** Longer than any history, in milliseconds. */
const A_DAY = 86_400_000;
const NEVER = Infinity;

/** Runs one plan against the service's own code. The same plan always gives the same history. */
export async function simulate(subject: Subject, plan: Plan): Promise<History> {
  const { stackTraceLimit } = Error;
  // Nobody reads the stack traces of simulated faults, and collecting them takes time.
  Error.stackTraceLimit = 0;
  try {
    return await new Simulation(subject, plan).run();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

class Simulation {
  readonly #clock = new Clock();
  readonly #subject: Subject;
  readonly #plan: Plan;
  readonly #store: SimulatedStore;
  readonly #fleet: Fleet;
  readonly #tokens: Token[];
  readonly #history: { attempts: Attempt[]; calls: Call[]; story: [at: number, text: string][] } = {
    attempts: [],
    calls: [],
    story: [],
  };
  readonly #fates: { requests: RequestFate[]; GetItem: Plan['reads'][0][]; PutItem: Plan['puts'][0][] };

  constructor(subject: Subject, plan: Plan) {
    this.#subject = subject;
    this.#plan = plan;
    this.#fates = { requests: [...plan.requests], GetItem: [...plan.reads], PutItem: [...plan.puts] };
    this.#store = new SimulatedStore({
      clock: this.#clock,
      note: (text) => this.#note(text),
      decide: (operation, copy) => {
        if (this.#fleet.isDead(copy)) return { end: 'no connection', ends: 0 };
        const fate = this.#fates[operation].shift() ?? FAIR;
        if (fate !== FAIR) this.#note(`${copy}’s ${operation} meets ${describe(fate)}`);
        return fate;
      },
    });
    subject.moveTo({ clock: this.#clock, random: mulberry32(plan.seed), request: this.#store.request });
    this.#fleet = new Fleet(subject, this.#clock);
    this.#tokens = plan.tokens.map(({ issued, revoked, expires }, index) => ({
      text: formatToken(new Uint8Array(32).fill(index + 1)),
      issuedAt: issued ?? NEVER,
      revokedAt: revoked ?? NEVER,
      expiresAt: expires ?? NEVER,
    }));
  }

  async run(): Promise<History> {
    for (const [index, token] of this.#tokens.entries()) this.#arrange(token, `token ${index}`);
    const clients = this.#plan.clients.map((steps, index) => this.#client(index + 1, steps));
    await this.#clock.advance(A_DAY);
    // Everybody has ended by now, or never will.
    const expected = this.#plan.clients.flat().length;
    if (this.#history.calls.length < expected) throw new Error('A client’s call did not end.');
    await Promise.all(clients);
    await this.#ask();
    const found = [...this.#store.plants].map(([id, item]) => ({ id, plant: textOf(item) }));
    return { ...this.#history, tokens: this.#tokens, found, endedAt: this.#clock.now };
  }

  /** Issues a token and revokes it, when its times have come. */
  #arrange({ text, issuedAt, revokedAt, expiresAt }: Token, name: string): void {
    const digest = tokenDigest(text);
    const expires = Math.floor((EPOCH + Math.min(expiresAt, 10 * A_DAY)) / 1000);
    const at = (ms: number, run: () => void) => ms < NEVER && this.#clock.setTimeout(run, ms);
    at(issuedAt, () => {
      if (revokedAt < issuedAt) return;
      this.#store.tokens.set(digest, { name, expires });
      this.#note(`${name} is issued${expiresAt < NEVER ? ` until ${expiresAt / 1000} s` : ''}`);
    });
    at(revokedAt, () => {
      if (this.#store.tokens.delete(digest)) this.#note(`${name} is revoked`);
    });
  }

  async #client(number: number, steps: readonly Step[]): Promise<void> {
    for (const { wait, plant, token } of steps) {
      await this.#sleep(wait);
      await this.#create(`client ${number}`, plant, token, this.#fates.requests);
    }
  }

  /** One call of the client package, which repeats it as it does for everyone. */
  async #create(client: string, plant: PlannedPlant, token: number, fates: RequestFate[]): Promise<void> {
    const { name, tag } = plant;
    const text = tag === undefined ? name : `${name}, ${tag}`;
    const what = { id: String(plant.id), plant: text, token, client };
    const calledAt = this.#clock.now;
    const store = this.#subject.createPlantStore({
      baseUrl: 'https://plants.test',
      token: (this.#tokens[token] as Token).text,
      fetch: async (_, init) => {
        const attempt: Attempt = { ...what, calledAt: this.#clock.now };
        this.#history.attempts.push(attempt);
        const fate = fates.shift() ?? DIRECT;
        const world = { clock: this.#clock, fleet: this.#fleet, note: (line: string) => this.#note(line) };
        return carry(attempt, init as RequestInit, fate, world);
      },
    });
    const end = await store.createPlant(plant).then(
      () => ({ number: 200, mayBeStored: true }),
      ({ error, mayBeStored }: { error: number; mayBeStored: boolean }) => ({ number: error, mayBeStored }),
    );
    this.#history.calls.push({ ...what, calledAt, endedAt: this.#clock.now, ...end });
    this.#note(`${client}’s call ends: ${end.number}${end.mayBeStored ? '' : ', not stored'}`);
  }

  /** After everything, one plant of each id is sent once more. Nothing goes wrong now, so the responses must be 200 or 40901. */
  async #ask(): Promise<void> {
    this.#fates.GetItem = [];
    this.#fates.PutItem = [];
    const sent = new Map(this.#plan.clients.flat().map(({ plant }) => [plant.id, plant]));
    for (const plant of sent.values()) {
      const asked = this.#create('the last client', plant, 0, []);
      await this.#clock.advance(1_000);
      await asked;
    }
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.#clock.setTimeout(() => resolve(), ms));
  }

  #note(text: string): void {
    this.#history.story.push([this.#clock.now, text]);
  }
}

import { setImmediate as turn } from 'node:timers/promises';
import type { NewPlant } from '../../client/src/index.ts';
import { tokenDigest } from '../../lambda/store/access-token-table.ts';
import { formatToken } from '../../lambda/store/token-format.ts';
import { Clock } from '../../test/support/clock.ts';
import { plantOf } from '../../test/support/stored-item.ts';
import { carry } from './carry.ts';
import type { Attempt, Call, History } from './check.ts';
import { Fleet } from './fleet.ts';
import { DIRECT, FAIR, type Plan, type PlannedPlant, type RequestFate, type Step } from './plan.ts';
import { SimulatedStore, textOf } from './simulated-store.ts';
import type { Subject } from './subject.ts';

/** Longer than any history, in milliseconds. */
const A_DAY = 86_400_000;
const TOKEN = formatToken(new Uint8Array(32).fill(1));

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
  readonly #history: { attempts: Attempt[]; calls: Call[] } = { attempts: [], calls: [] };
  readonly #fates: { requests: RequestFate[]; GetItem: Plan['reads'][0][]; PutItem: Plan['puts'][0][] };

  constructor(subject: Subject, plan: Plan) {
    this.#subject = subject;
    this.#plan = plan;
    this.#fates = { requests: [...plan.requests], GetItem: [...plan.reads], PutItem: [...plan.puts] };
    this.#store = new SimulatedStore(tokenDigest(TOKEN), this.#clock, (operation, copy) =>
      this.#fleet.isDead(copy) ? { end: 'no connection', ends: 0 } : (this.#fates[operation].shift() ?? FAIR),
    );
    subject.moveTo({ clock: this.#clock, request: this.#store.request });
    this.#fleet = new Fleet(subject, this.#clock);
  }

  async run(): Promise<History> {
    const clients = this.#plan.clients.map((steps, index) => this.#client(index + 1, steps));
    await this.#clock.advance(A_DAY);
    // Everybody has ended by now, or never will.
    const expected = this.#plan.clients.flat().length;
    if (this.#history.calls.length < expected) throw new Error('A client’s call did not end.');
    await Promise.all(clients);
    await this.#ask();
    const found = [...this.#store.plants].map(([id, item]) => ({ id, plant: textOf(plantOf(item)) }));
    return { ...this.#history, found, endedAt: this.#clock.now };
  }

  async #client(number: number, steps: readonly Step[]): Promise<void> {
    for (const { wait, plant } of steps) {
      await new Promise<void>((resolve) => this.#clock.setTimeout(() => resolve(), wait));
      await this.#create(`client ${number}`, plant, this.#fates.requests);
    }
  }

  /** One call of the client package, which repeats it as it does for everyone. */
  async #create(client: string, plant: PlannedPlant, fates: RequestFate[]): Promise<void> {
    const what = { client, id: String(plant.id), plant: textOf(plant) };
    const calledAt = this.#clock.now;
    const store = this.#subject.createPlantStore({
      baseUrl: 'https://plants.test',
      token: TOKEN,
      fetch: async (_, init) => {
        const attempt: Attempt = { ...what, calledAt: this.#clock.now };
        this.#history.attempts.push(attempt);
        return carry(attempt, init as RequestInit, fates.shift() ?? DIRECT, this.#clock, this.#fleet);
      },
    });
    const end = await store.createPlant(plant as PlannedPlant & NewPlant).then(
      () => ({ number: 200, mayBeStored: true }),
      ({ error, mayBeStored }: { error: number; mayBeStored: boolean }) => ({ number: error, mayBeStored }),
    );
    this.#history.calls.push({ ...what, calledAt, endedAt: this.#clock.now, ...end });
  }

  /** After everything, one plant of each id is sent once more. Nothing goes wrong now, so the responses must be 200 or 40901. */
  async #ask(): Promise<void> {
    this.#fates.GetItem = [];
    this.#fates.PutItem = [];
    const sent = new Map(this.#plan.clients.flat().map(({ plant }) => [plant.id, plant]));
    for (const plant of sent.values()) {
      const asked = this.#create('the last client', plant, []);
      // The client sends only after it has asked for its token.
      await turn();
      await this.#clock.advance(1_000);
      await asked;
    }
  }
}

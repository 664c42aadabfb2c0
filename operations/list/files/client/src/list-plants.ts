import type { Perform } from './call.ts';
import type { CallOptions } from './options.ts';
import { checkedValues } from './plant.ts';
import { type NewPlant, PROPERTIES } from './properties.ts';

/** What a list selects: a value of the property, and a page. */
export interface ListQuery {
  readonly status: NonNullable<NewPlant['status']>;
  /** The most plants of a page: 25 by default, at most 100. */
  readonly limit?: number | undefined;
  /** The `next` of the page before; without it, the first page. */
  readonly page?: string | undefined;
}

/** A page. An integer is a `bigint` if a `number` cannot hold it. The last page has no `next`. */
export interface PlantList {
  readonly plants: readonly NewPlant[];
  readonly next?: string | undefined;
}

/** `listPlants` of a client. */
export function listPlants(perform: Perform) {
  return async (query: ListQuery, ofCall?: CallOptions): Promise<PlantList> => {
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const texts = given.map(([name, value]): [string, string] => [name, String(value)]);
    const parameters = new URLSearchParams(texts);
    const call = { method: 'GET', path: `/plants?${parameters}`, mayStore: false };
    return perform({ ...call, ifLost: 'nothing was stored', resultOf: listIn }, ofCall);
  };
}

/** The page of a response. @returns undefined if it is none */
function listIn({ plants, next }: Readonly<Record<string, unknown>>): PlantList | undefined {
  try {
    const found = (plants as readonly Readonly<Record<string, unknown>>[]).map((plant) =>
      checkedValues(plant, PROPERTIES),
    );
    return { plants: found as unknown as NewPlant[], next: next as string | undefined };
  } catch {
    return undefined;
  }
}

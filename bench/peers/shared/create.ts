import { plantOf, Refusal } from './answers.ts';
import { faultOf, type NewPlant } from './plant.ts';
import type { Store } from './store.ts';

/** The part behind a web framework's routing: validates what it parsed, and stores it. @throws Refusal */
export async function create(value: unknown, store: Store): Promise<{ name: string; tag?: string }> {
  const fault = faultOf(value);
  if (fault) throw new Refusal(40002, fault);
  const plant = value as NewPlant;
  if (!(await store.createPlant(plant))) throw new Refusal(40901, 'The id belongs to a different plant.');
  return plantOf(plant);
}

import type { Perform } from './call.ts';
import type { CreatePlantOptions } from './options.ts';
import type { NewPlant } from './properties.ts';

/** `deletePlant` of a client. */
export function deletePlant(perform: Perform) {
  return async (id: NewPlant['id'], ofCall?: CreatePlantOptions): Promise<void> => {
    const path = `/plants/${encodeURIComponent(String(id))}`;
    const call = { method: 'DELETE', path, mayStore: false, ifLost: 'the plant may have been deleted' };
    await perform({ ...call, resultOf: ({ deleted }) => (deleted === true ? true : undefined) }, ofCall);
  };
}

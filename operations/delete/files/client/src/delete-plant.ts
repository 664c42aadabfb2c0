import type { Perform } from './call.ts';
import type { CallOptions } from './options.ts';
import { plantPath } from './plant-path.ts';
import type { NewPlant } from './properties.ts';

const CALL = { method: 'DELETE', mayStore: false, ifLost: 'the plant may have been deleted' } as const;

/** `deletePlant` of a client. */
export function deletePlant(perform: Perform) {
  return async (id: NewPlant['id'], ofCall?: CallOptions): Promise<void> => {
    await perform(
      { ...CALL, path: plantPath(id), resultOf: ({ deleted }) => (deleted === true ? true : undefined) },
      ofCall,
    );
  };
}

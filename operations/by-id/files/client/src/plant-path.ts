import type { NewPlant } from './properties.ts';

/** The path of a plant, behind the base URL. */
export const plantPath = (id: NewPlant['id']): string => `/plants/${encodeURIComponent(String(id))}`;

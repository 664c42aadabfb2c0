/** Where the local service keeps its plants and tokens: a folder that git ignores. */
export const DEFAULT_DATA_FOLDER = '.plant-store';

/** The port of the local service. */
export const DEFAULT_PORT = 3000;

import path from 'node:path';

/** The folder of the mutation test. The other paths are relative to the project folder, in which npm runs it. */
export const HERE = path.relative(process.cwd(), import.meta.dirname);

/** One file of this folder. */
export const here = (name: string): string => path.join(HERE, name);

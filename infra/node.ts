/**
 * The version of Node on which the function runs. The runbook has the steps of an upgrade ("Upgrade Node"); tests compare
 * the packages with this number.
 */
const NODE_MAJOR = 24;

/** Lambda's name of the runtime. */
export const RUNTIME = `nodejs${NODE_MAJOR}.x`;

/** esbuild's target: the language and the built-in modules of that version. */
export const TARGET = `node${NODE_MAJOR}`;

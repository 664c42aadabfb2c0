/**
 * A process that serves a list of requests with the bundled function, and exits when nothing keeps it alive. Prints its
 * observations as one JSON line. Arguments: the bundle's file, and the events as JSON. Not messages, because an IPC
 * channel would load more built-in modules.
 */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import process, { argv } from 'node:process';

const [file = '', events = '[]'] = argv.slice(2);

// Code that reads a configuration file calls one of these.
const filesRead: string[] = [];
for (const [owner, name] of [
  [fs, 'readFile'],
  [fs, 'readFileSync'],
  [fs, 'open'],
  [fs, 'openSync'],
  [fs.promises, 'readFile'],
  [fs.promises, 'open'],
] as unknown as [Record<string, (...values: unknown[]) => unknown>, string][]) {
  const original = owner[name] as (...values: unknown[]) => unknown;
  owner[name] = (path, ...rest) => {
    filesRead.push(String(path));
    return original.call(owner, path, ...rest);
  };
}

const lines: unknown[] = [];
const print = console.info;
console.info = (line: unknown) => void lines.push(line);

const loadedBefore = new Set<string>((process as unknown as { moduleLoadList: string[] }).moduleLoadList);
const { handler } = createRequire(import.meta.url)(file);
const statuses: number[] = [];
let loaded: string[] = [];
for (const event of JSON.parse(events)) {
  const answer = await handler(event, { getRemainingTimeInMillis: () => 6000 });
  statuses.push(answer.statusCode);
  // Later answers must not load anything either, so the last list counts.
  loaded = (process as unknown as { moduleLoadList: string[] }).moduleLoadList.filter(
    (name) => name.startsWith('NativeModule ') && !loadedBefore.has(name),
  );
}
print(JSON.stringify({ statuses, lines, loaded, filesRead, waitingFor: process.getActiveResourcesInfo() }));

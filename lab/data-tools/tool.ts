import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** A way through a tool; tools.yaml explains the fields. */
export interface Way {
  readonly way: string;
  readonly run: string;
  readonly writes: string;
  readonly differs?: string;
  readonly loses?: readonly string[];
}

/** A tool, how to get it, and the ways through it. */
export interface Tool {
  readonly tool: string;
  readonly version: string;
  readonly install: string;
  readonly check: string;
  readonly ways: readonly Way[];
}

export const TOOLS: readonly Tool[] = parse(readFileSync(new URL('tools.yaml', import.meta.url), 'utf8'));

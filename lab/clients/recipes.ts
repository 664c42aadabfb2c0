import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** How one client is generated, built and run, or how a linter is run; recipes.yaml explains the fields. */
export interface Recipe {
  readonly name: string;
  readonly generator: string;
  readonly needs: Readonly<Record<string, string>>;
  readonly build: string;
  readonly run?: string;
  readonly test?: string;
}

/** All clients, one for each generator and language, and the tools that read openapi.yaml itself. */
export const RECIPES: readonly Recipe[] = parse(
  readFileSync(new URL('recipes.yaml', import.meta.url), 'utf8'),
);

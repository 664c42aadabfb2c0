import path from 'node:path';
import { UsageError } from '../../cli/command-line.ts';
import { PlainError } from '../../cli/plain-error.ts';
import { type Json, jsonOf } from '../../lambda/json.ts';
import { PROPERTY_NAMES } from '../../lambda/plant.ts';

/** How an export writes plants. */
export interface ExportFormat {
  /** What stands before the first plant. */
  readonly start: string;
  /** @throws PlainError for what the format cannot express */
  line(item: ReadonlyMap<string, Json>, isPlant: boolean): string;
}

const NDJSON: ExportFormat = { start: '', line: (item) => `${jsonOf(item)}\n` };

/**
 * CSV from which an import reads the same plants: a text has quotes, an empty one too, a number has none, and what is absent is nothing.
 */
const CSV: ExportFormat = {
  start: `${PROPERTY_NAMES.map((name) => (/[",;\t]/.test(name) ? field(name) : name)).join()}\n`,
  line(item, isPlant) {
    if (!isPlant)
      throw new PlainError(
        `The item ${jsonOf(item.get('id'))} is no plant of this version, so CSV has no column for a part of it. Export to .ndjson.`,
      );
    return `${PROPERTY_NAMES.map((name) => field(item.get(name))).join()}\n`;
  },
};

/** By the ending of the file, which is also the name of the format. */
const FORMATS: Readonly<Record<string, ExportFormat>> = { ndjson: NDJSON, jsonl: NDJSON, csv: CSV };

/**
 * Finds how to write a file: by the name of a format, or else by the file's ending.
 * @throws UsageError for another format or ending; a file without one is NDJSON
 */
export function exportFormat(file = '-', name?: string): ExportFormat {
  const names = Object.keys(FORMATS).join(', ');
  const ending = path.extname(file).slice(1).toLowerCase();
  const wanted = name ?? (ending || 'ndjson');
  if (!Object.hasOwn(FORMATS, wanted) || (ending && name && FORMATS[ending] !== FORMATS[name]))
    throw new UsageError(
      name === undefined
        ? `An export is ${names}; end FILE in one of these. To compress it, write it to a pipe.`
        : `--format must be one of ${names}, and FILE must end in it or have no ending.`,
    );
  return FORMATS[wanted] as ExportFormat;
}

function field(value: Json | undefined): string {
  if (value === undefined) return '';
  const isPlain = typeof value !== 'string' && !Array.isArray(value) && !(value instanceof Map);
  if (isPlain) return jsonOf(value);
  return `"${(typeof value === 'string' ? value : jsonOf(value)).replaceAll('"', '""')}"`;
}

import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { PlainError } from '../cli/plain-error.ts';

/** An error that a client can receive, as errors.yaml has it. */
export interface PublishedError {
  readonly error: number;
  readonly name: string;
  readonly message: string;
  readonly when: string;
  readonly do: string;
  readonly retryAfter?: number;
  readonly challenge?: string;
}

const FILE = 'contract/errors.yaml';
/** In a cell of a table, or before a full stop. */
const CELL = { type: 'string', pattern: '^[^|\\n]*[^|\\n.]$' };
const AJV = new Ajv2020();
const isError = AJV.compile<PublishedError>({
  type: 'object',
  properties: {
    error: { type: 'integer', minimum: 40000, maximum: 59999 },
    name: { type: 'string', pattern: '^[A-Z][A-Z0-9_]*$' },
    message: { type: 'string', maxLength: 199, pattern: '\\.$' },
    when: CELL,
    do: CELL,
    retryAfter: { type: 'integer', minimum: 1 },
    challenge: { type: 'string' },
  },
  required: ['error', 'name', 'message', 'when', 'do'],
  additionalProperties: false,
});

/** The errors, in the order of their numbers. */
export const PUBLISHED_ERRORS = parseErrors(readFileSync(new URL('errors.yaml', import.meta.url), 'utf8'));

/** Parses the text of errors.yaml. @throws PlainError that names the line which is wrong */
export function parseErrors(text: string): PublishedError[] {
  const lines = new LineCounter();
  // Without the lines around an error in its message.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const wrongAt = (offset: number, what: string) =>
    new PlainError(`${FILE}:${lines.linePos(offset).line}: ${what}.`);
  const [problem] = document.errors;
  if (problem) throw wrongAt(problem.pos[0], problem.message);
  const nodes = document.get('errors');
  if (!isSeq<Node>(nodes)) throw new PlainError(`${FILE} lacks the list errors.`);
  const errors: PublishedError[] = [];
  for (const node of nodes.items) {
    const entry: unknown = node.toJS(document);
    const wrong = (what: string) => wrongAt(node.range?.[0] ?? 0, what);
    if (!isError(entry)) throw wrong(AJV.errorsText(isError.errors, { dataVar: 'the error' }));
    const { error, name, retryAfter } = entry;
    if (errors.some((each) => each.error === error || each.name === name))
      throw wrong(`another error has the number ${error} or the name ${name}`);
    // A client decides by the status of a number that it does not know.
    const status = statusOf(entry);
    if (errors.some((each) => statusOf(each) === status && each.retryAfter !== retryAfter))
      throw wrong(`another error that begins with ${status} has another retryAfter`);
    errors.push(entry);
  }
  return errors.sort((a, b) => a.error - b.error);
}

/** The first three digits, which a client knows also of a number of a later version. */
export function statusOf({ error }: Pick<PublishedError, 'error'>): number {
  return Math.floor(error / 100);
}

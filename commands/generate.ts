/** `npm run generate`: writes the files, and the parts of documents, that are made from others. */

import { readFileSync, writeFileSync } from 'node:fs';
import { runCommand } from '../cli/command-line.ts';
import { PlainError } from '../cli/plain-error.ts';
import { print } from '../cli/print.ts';

await runCommand({
  usage: 'npm run generate',
  about: `Writes the properties of NewPlant in contract/openapi.yaml into lambda/properties.ts, client/src/properties.ts, the rest of the
contract and the documents; the errors of lambda/errors.ts into contract/openapi.yaml and docs/errors.md; and the settings of
infra/stage-settings.ts into docs/stage-settings.md. Names each row in which a cell that is written by hand is empty.`,
  options: {},
  notes:
    'Exit codes: 0 if all documents are complete, 1 if a cell is empty or for a failure, 2 if the command is invalid.',
  async main() {
    const { makeDocuments } = await import('./generate/make-documents.ts');
    const urlOf = (file: string) => new URL(`../${file}`, import.meta.url);
    const read = (file: string) => readFileSync(urlOf(file), 'utf8');
    const documents = makeDocuments(read);
    for (const { file, text } of documents) {
      print(`${file}: ${text === read(file) ? 'nothing changed' : 'written'}`);
      writeFileSync(urlOf(file), text);
    }
    const incomplete = documents.filter(({ emptyRows }) => emptyRows.length > 0);
    if (incomplete.length === 0) return;
    const places = incomplete.map(({ file, emptyRows }) => `${file}, row ${emptyRows.join(', ')}`);
    throw new PlainError(`Write the empty cell, then run this again: ${places.join('; ')}.`);
  },
});

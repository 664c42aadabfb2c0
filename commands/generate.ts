/** `npm run generate`: writes the files, and the parts of documents, that are made from others. */

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { runCommand } from '../cli/command-line.ts';
import { print } from '../cli/print.ts';

await runCommand({
  usage: 'npm run generate',
  about: `Writes the properties of NewPlant in contract/openapi.yaml into lambda/properties.ts, client/src/properties.ts, the rest of the
contract and the documents, and their types into lambda/property-types/; the errors of contract/errors.yaml into
lambda/published-errors.ts, client/src/published-errors.ts, contract/openapi.yaml and docs/errors.md; and the settings of
infra/stage-settings.ts into docs/stage-settings.md.`,
  options: {},
  notes: 'Exit codes: 0 for success, 1 for a failure, 2 if the command is invalid.',
  async main() {
    const urlOf = (file: string) => new URL(`../${file}`, import.meta.url);
    const read = (file: string) => readFileSync(urlOf(file), 'utf8');
    const { CONTRACT } = await import('./generate/contract-value.ts');
    const { readModel } = await import('./generate/model.ts');
    // Before what reads the contract when it is loaded.
    for (const line of readModel(read(CONTRACT)).said) print(line);
    const { makeDocuments } = await import('./generate/make-documents.ts');
    const { leftoverTypes } = await import('./generate/type-files.ts');
    const documents = makeDocuments(read);
    for (const { file, text } of documents) {
      const isSame = existsSync(urlOf(file)) && text === read(file);
      print(`${file}: ${isSame ? 'nothing changed' : 'written'}`);
      writeFileSync(urlOf(file), text);
    }
    for (const file of leftoverTypes(documents, read)) {
      print(`${file}: removed`);
      rmSync(urlOf(file));
    }
  },
});

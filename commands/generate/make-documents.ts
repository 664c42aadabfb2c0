import { withBodies } from './bodies.ts';
import type { Document } from './document.ts';
import { errorDocuments } from './error-documents.ts';
import { CONTRACT, modelIn } from './model.ts';
import { withModel } from './model-in-contract.ts';
import { modelSources } from './model-sources.ts';
import { openapi30Document } from './openapi-3.0-document.ts';
import { CLIENTS, withPropertiesTable } from './properties-table.ts';
import { settingsDocument } from './settings-document.ts';

/** Makes every file that has parts made from another one. @param read reads a file by its path from the root */
export function makeDocuments(read: (file: string) => string): Document[] {
  const model = modelIn(read(CONTRACT));
  const errors = errorDocuments(read, withModel(read(CONTRACT), model));
  const bodies = ['README.md', CLIENTS, 'docs/client-tools.md', 'client/README.md'].map((file) => {
    const text = withBodies(read(file), model);
    return { file, text: file === CLIENTS ? withPropertiesTable(text, model) : text };
  });
  return [
    ...errors,
    ...bodies,
    ...modelSources(model),
    settingsDocument(read),
    openapi30Document(errors[0].text),
  ];
}

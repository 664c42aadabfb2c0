import type { Document } from './document.ts';
import { errorDocuments } from './error-documents.ts';
import { CONTRACT, modelIn } from './model.ts';
import { modelDocuments } from './model-documents.ts';
import { modelSources } from './model-sources.ts';
import { openapi30Document } from './openapi-3.0-document.ts';
import { settingsDocument } from './settings-document.ts';

/** Makes every file that has parts made from another one. @param read reads a file by its path from the root */
export function makeDocuments(read: (file: string) => string): Document[] {
  const model = modelIn(read(CONTRACT));
  const [contract, ...guides] = modelDocuments(read, model);
  const [whole, ...errors] = errorDocuments((file) =>
    file === CONTRACT ? (contract?.text ?? '') : read(file),
  );
  return [
    whole,
    ...errors,
    ...guides,
    ...modelSources(model),
    settingsDocument(read),
    openapi30Document(whole.text),
  ];
}

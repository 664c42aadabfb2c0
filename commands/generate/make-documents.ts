import { clientReadme } from './client-readme.ts';
import { CONTRACT } from './contract-value.ts';
import type { Document } from './document.ts';
import { errorDocuments } from './error-documents.ts';
import { keywordsDocument } from './keywords-document.ts';
import { readModel } from './model.ts';
import { withModel } from './model-in-contract.ts';
import { modelSources } from './model-sources.ts';
import { openapi30Document } from './openapi-3.0-document.ts';
import { plantInDocuments } from './plant-in-documents.ts';
import { settingsDocument } from './settings-document.ts';
import { typeFiles } from './type-files.ts';

/** Makes every file that has parts made from another one. @param read reads a file by its path from the root */
export function makeDocuments(read: (file: string) => string): Document[] {
  const { properties: model, contract } = readModel(read(CONTRACT));
  const errors = errorDocuments(read, withModel(contract, model));
  const [ofFunction, ofClient] = modelSources(model);
  return [
    ...errors,
    ...plantInDocuments(model, read),
    clientReadme(model, read),
    ofFunction,
    ofClient,
    ...typeFiles(ofFunction.text, read),
    settingsDocument(read),
    keywordsDocument(read),
    openapi30Document(errors[0].text),
  ];
}

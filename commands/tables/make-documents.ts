import type { Document } from './document.ts';
import { errorDocuments } from './error-documents.ts';
import { openapi30Document } from './openapi-3.0-document.ts';
import { settingsDocument } from './settings-document.ts';

/** Makes every document that has parts made from the code. @param read reads a file by its path from the root */
export function makeDocuments(read: (file: string) => string): Document[] {
  const [contract, guide] = errorDocuments(read);
  return [contract, guide, settingsDocument(read), openapi30Document(contract.text)];
}

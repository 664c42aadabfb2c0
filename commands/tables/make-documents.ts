import type { Document } from './document.ts';
import { errorDocuments } from './error-documents.ts';
import { settingsDocument } from './settings-document.ts';

/** Makes every document that has parts made from the code. @param read reads a file by its path from the root */
export function makeDocuments(read: (file: string) => string): Document[] {
  return [...errorDocuments(read), settingsDocument(read)];
}

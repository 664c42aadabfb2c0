import { rmSync } from 'node:fs';
import { OwnFile } from '../../terminal/own-file.ts';

/** The file of refused lines, in the order of the input. */
export class RefusedFile extends OwnFile {
  /** Also removes the file if it is empty. */
  override close(): boolean {
    const isEmpty = super.close();
    if (isEmpty) rmSync(this.name, { force: true });
    return isEmpty;
  }
}

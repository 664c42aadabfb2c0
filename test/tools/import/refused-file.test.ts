import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { PlainError } from '../../../local/plain-error.ts';
import { RefusedFile } from '../../../tools/import/refused-file.ts';
import { temporaryFolder } from '../../support/local-process.ts';

test.skipIf(process.platform !== 'linux')(
  'a full disk is explained, and a line that was not written whole does not count',
  () => {
    const name = path.join(temporaryFolder(), 'a.refused.ndjson');
    symlinkSync('/dev/full', name);
    const file = new RefusedFile(name, undefined);
    expect(() => file.append('{"id":1}\n')).toThrow(new PlainError(`${name} cannot be written to (ENOSPC).`));
    expect(file.size).toBe(0);
  },
);

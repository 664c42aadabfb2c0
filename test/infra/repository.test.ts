import { describe, expect, test } from 'vitest';
import { sectionAddress } from '../../infra/repository.ts';

// Without `repository`, the policies of alarms read the path.
const sectionIn = (repository: Parameters<typeof sectionAddress>[2]) =>
  sectionAddress('docs/runbook-alarms.md', 'TableErrors', repository);

describe('a section of a document', () => {
  test.each([
    'https://github.com/octo/plants',
    'https://github.com/octo/plants/',
    'https://github.com/octo/plants.git',
    'git+https://github.com/octo/plants.git',
    { url: 'git+https://github.com/octo/plants.git' },
  ])('is an address if repository is %j', (repository) => {
    expect(sectionIn(repository)).toBe(
      'https://github.com/octo/plants/blob/main/docs/runbook-alarms.md#tableerrors',
    );
  });

  test.each(['octo/plants', 'github:octo/plants', 'http://github.com/octo/plants', 'https://github.com', {}])(
    'is refused if repository is %j',
    (repository) => {
      expect(() => sectionIn(repository)).toThrow(
        'package.json: repository must be an address such as https://',
      );
    },
  );
});

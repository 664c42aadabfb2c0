import { expect, test } from 'vitest';
import { sectionAddress } from '../../infra/repository.ts';

// Without `repository`, the policies of alarms read the path.
const sectionIn = (repository: Parameters<typeof sectionAddress>[2]) =>
  sectionAddress('docs/runbook-alarms.md', 'TableErrors', repository);

test.each(['https://github.com/octo/plants/', { url: 'git+https://github.com/octo/plants.git' }])(
  'a section is an address if repository is %j',
  (repository) => {
    const address = 'https://github.com/octo/plants/blob/main/docs/runbook-alarms.md#tableerrors';
    expect(sectionIn(repository)).toBe(address);
  },
);

test.each(['github:octo/plants', 'http://github.com/octo/plants', {}])(
  'repository is refused if it is %j',
  (repository) => {
    expect(() => sectionIn(repository)).toThrow('package.json: repository must be an address such as https');
  },
);

import { expect, test } from 'vitest';
import { sectionAddress } from '../../infra/repository.ts';

// Without `repository`, the policies of alarms read the path.
const sectionIn = (repository: unknown) =>
  sectionAddress('docs/runbook-alarms.md', 'TableErrors', { repository });

test('a section is an address if the repository has one', () => {
  const address = 'https://github.com/octo/plants/blob/main/docs/runbook-alarms.md#tableerrors';
  expect(sectionIn('https://github.com/octo/plants')).toBe(address);
});

test.each(['github:octo/plants', 'http://github.com/octo/plants', 'https://github.com/octo/plants.git', {}])(
  'repository is refused if it is %j',
  (repository) => {
    expect(() => sectionIn(repository)).toThrow('package.json: repository must be an address such as https');
  },
);

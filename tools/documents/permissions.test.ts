import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ROOT, read } from './documents.ts';

/** Where the calls of each command are. */
const FILES: Readonly<Record<string, string>> = {
  doctor: '{tools/doctor,operate/deployed}/*.ts',
  logs: 'tools/logs/*.ts',
  token: 'operate/access-tokens/access-token-admin.ts',
  guard: 'tools/guard/*.ts',
  plants: 'tools/plants/*.ts',
};
/** Operations whose permission has another name; an empty one needs none (STS API Reference, "GetCallerIdentity"). */
const PERMISSIONS: Readonly<Record<string, string>> = {
  GetCallerIdentity: '',
  GetAccount: 'apigateway:GET',
  GetStage: 'apigateway:GET',
  Put: 'PutItem',
  Delete: 'DeleteItem',
};

/** The operations of AWS that a file imports from the SDK. */
function operationsOf(file: string): string[] {
  const imports = [...read(file).matchAll(/import \{([^}]+)\} from '@aws-sdk\/[^']+'/g)].join();
  const names = [...imports.matchAll(/\b(?:([A-Z]\w+)Command|paginate(\w+))\b/g)];
  return names.map(([, command, paginated]) => command ?? paginated ?? '');
}

const [, section = ''] = read('docs/commands.md').split('\n## Permissions\n');

test.each(Object.entries(FILES))(
  'the documented permissions of npm run %s allow each of its calls',
  (command, pattern) => {
    const files = globSync(pattern, { cwd: ROOT }).filter((file) => !file.endsWith('.test.ts'));
    const operations = [...new Set(files.flatMap(operationsOf))];
    expect(operations).not.toEqual([]);
    const text = section.split('\n| ').find((part) => part.includes(`\`npm run ${command}\``));
    const documented = [...(text ?? '').matchAll(/`([\w:]+)`/g)].flatMap(([, name = '']) => [
      name,
      name.split(':').at(-1),
    ]);
    const needed = operations.map((operation) => PERMISSIONS[operation] ?? operation).filter(Boolean);
    expect(needed.filter((name) => !documented.includes(name))).toEqual([]);
  },
);

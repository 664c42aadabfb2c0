import { parseArgs, styleText } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { DataFolder } from '../local/data-folder.ts';
import { DEFAULT_DATA_FOLDER } from '../local/defaults.ts';
import { openStore } from '../local/open-store.ts';
import { PlainError } from '../local/plain-error.ts';
import { LOCAL_TABLES } from '../local/tables.ts';
import { AccessTokenAdmin, type IssuedToken, shortId, TOKEN_DAYS } from './access-token-admin.ts';
import { reportErrors } from './command-line.ts';
import { deployedAccessTokensTable } from './stack-outputs.ts';

const USAGE = `npm run token -- issue NAME [--days N]   a new token, shown once; it lives ${TOKEN_DAYS.default} days, ${TOKEN_DAYS.most} at most
npm run token -- list                    every token: name, id, created, expires
npm run token -- revoke ID               ends one token within a minute
npm run token -- revoke --all NAME       ends every token of a name
Each takes --stage NAME for a deployed stage, or --data DIR for the local service's data (default ${DEFAULT_DATA_FOLDER}).`;

const SOON_DAYS = 14;

await reportErrors(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      days: { type: 'string' },
      all: { type: 'string' },
      data: { type: 'string', default: DEFAULT_DATA_FOLDER },
      stage: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.info(USAGE);
  const command = chooseCommand(positionals, values);
  if (values.stage !== undefined) return withTable(command, await deployedAccessTokensTable(values.stage));
  const store = await openStore({ folder: new DataFolder(values.data), join: true });
  try {
    await withTable(command, LOCAL_TABLES.accessTokens);
  } finally {
    await store.close();
  }
});

async function withTable(command: Command, table: string): Promise<void> {
  const client = new DynamoDBClient();
  try {
    await command(new AccessTokenAdmin(DynamoDBDocumentClient.from(client), table));
  } finally {
    client.destroy();
  }
}

type Command = (admin: AccessTokenAdmin) => Promise<void>;

/** @throws PlainError with the usage when the words make no command */
function chooseCommand(
  [verb, operand, ...rest]: string[],
  { days, all }: { days?: string; all?: string },
): Command {
  if (rest.length === 0) {
    if (verb === 'issue' && operand && all === undefined) return issue(operand, days);
    if (verb === 'list' && !operand && days === undefined && all === undefined) return list;
    if (verb === 'revoke' && operand && all === undefined && days === undefined) return revoke(operand);
    if (verb === 'revoke' && !operand && all !== undefined && days === undefined) return revokeAll(all);
  }
  throw new PlainError(USAGE);
}

function issue(name: string, days: string | undefined): Command {
  return async (admin) => {
    const { token, issued } = await admin.issue(name, days === undefined ? undefined : Number(days));
    console.info(`${token}\n`);
    console.info(`For ${name}, until ${day(issued.expires)}, id ${shortId(issued)}. It is not shown again.`);
  };
}

async function list(admin: AccessTokenAdmin): Promise<void> {
  const all = await admin.list();
  const width = Math.max(4, ...all.map(({ name }) => name.length));
  console.info(`${'NAME'.padEnd(width)}  ID        CREATED     EXPIRES`);
  for (const issued of all) {
    const times = `${day(issued.created)}  ${day(issued.expires)}`;
    console.info(`${issued.name.padEnd(width)}  ${shortId(issued)}  ${times}  ${remark(issued)}`.trimEnd());
  }
}

function revoke(id: string): Command {
  return async (admin) => report([await admin.revoke(id)]);
}

function revokeAll(name: string): Command {
  return async (admin) => report(await admin.revokeAll(name));
}

function report(revoked: IssuedToken[]): void {
  for (const issued of revoked) console.info(`Revoked ${shortId(issued)} of ${issued.name}.`);
  console.info('It stops working within a minute, when the last process has forgotten it.');
}

function remark({ expires }: IssuedToken): string {
  const days = Math.floor((expires * 1000 - Date.now()) / 86_400_000);
  if (days < 0) return styleText('red', 'expired');
  return days < SOON_DAYS ? styleText('yellow', `expires in ${days} days`) : '';
}

function day(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}

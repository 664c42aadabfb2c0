import { isIP } from 'node:net';
import { runCommand, UsageError, wholeNumber } from '../cli/command-line.ts';
import { AN_ORIGIN, wrongOrigin } from '../infra/origins.ts';
import { ENVIRONMENT } from '../lambda/environment.ts';
import type { AcceptMore } from '../lambda/tokens/access-token-table.ts';
import { DEFAULT_DATA_FOLDER, DEFAULT_HOST, DEFAULT_PORT } from './defaults.ts';
import { PROVIDER_OPTIONS, PROVIDER_USAGE, readProvider } from './provider-options.ts';

await runCommand({
  script: 'start',
  usage: [
    '[--host IP] [--port N] [--data DIR | --memory] [--allow-origin ORIGIN]... [--log FORMAT]',
    PROVIDER_USAGE,
  ].join(' '),
  about:
    'Runs the service on this machine, with an embedded store. It prints its address and an access token.',
  options: {
    host: {
      value: 'IP',
      about: 'the IP address to listen on; 0.0.0.0 in a container, so that it can be reached from outside',
      default: DEFAULT_HOST,
    },
    port: { value: 'N', about: 'the port; 0 for any free port', default: String(DEFAULT_PORT) },
    data: {
      value: 'DIR',
      about: `the folder that keeps plants and tokens (default: ${DEFAULT_DATA_FOLDER})`,
    },
    memory: { about: 'keep nothing when the service stops' },
    'allow-origin': {
      value: 'ORIGIN',
      about: 'let the pages of this origin use the service, such as http://localhost:5173; repeatable',
      repeatable: true,
    },
    log: {
      value: 'FORMAT',
      about:
        'json: the log as Lambda writes it; text: a line for each request, and the log of errors of the service (default: text in a terminal, else json)',
    },
    ...PROVIDER_OPTIONS,
  },
  notes: `If ${ENVIRONMENT.endpoint} is set, that store is used instead of the embedded one.`,
  async main(values) {
    const { host, port: written, data, memory, 'allow-origin': allowedOrigins, log } = values;
    const port = wholeNumber('port', written, 0, 65_535);
    if (isIP(host) === 0) throw new UsageError('--host must be an IP address, such as 127.0.0.1 or 0.0.0.0.');
    if (memory && data !== undefined)
      throw new UsageError('--memory keeps nothing, so it cannot be used together with --data.');
    const wrong = allowedOrigins && wrongOrigin(allowedOrigins, false);
    if (wrong !== undefined)
      throw new UsageError(
        `--allow-origin cannot be ${JSON.stringify(wrong)}; it must be ${AN_ORIGIN}. "*" can only stand alone.`,
      );
    const format = log ?? (process.stdout.isTTY ? 'text' : 'json');
    if (format !== 'text' && format !== 'json') throw new UsageError('--log must be text or json.');
    const accepted: readonly AcceptMore[] = [...(await readProvider(values))];
    // Loaded only now, so that help and refused options do not wait for it.
    const { serve } = await import('./serve.ts');
    const folder = memory ? undefined : (data ?? DEFAULT_DATA_FOLDER);
    const { env: environment } = process;
    const isLogged = format === 'json';
    const options = { host, port, data: folder, environment, allowedOrigins, accepted, isLogged };
    await serve(options);
  },
});

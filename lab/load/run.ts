/** `npm run lab -- load`: creates plants at a steady rate, and reports the responses and their latency. */
import { runCommand, wholeNumber } from '../../terminal/command-line.ts';
import { readBaseUrl, readToken, TOKEN_NOTES } from '../../tools/shared/access-token-input.ts';
import { startOwnServer } from '../../tools/shared/own-server.ts';
import { load } from './report.ts';

/** Enough for a measurement, but not expensive, and unlike an attack. */
const MOST = { rate: 2_000, seconds: 600, connections: 1_000 };

await runCommand(
  {
    usage: 'npm run lab -- load [--url BASE_URL] [--rate N] [--seconds N] [--connections N]',
    about: 'Creates plants at a steady rate, and shows the responses and their latency.',
    options: {
      url: { value: 'BASE_URL', about: 'a service, which keeps the plants (default: a new one in memory)' },
      rate: { value: 'N', about: `requests per second, at most ${MOST.rate}`, default: '200' },
      seconds: { value: 'N', about: `duration in seconds, at most ${MOST.seconds}`, default: '10' },
      connections: {
        value: 'N',
        about: `connections, at most ${MOST.connections}; other requests wait for one`,
        default: '50',
      },
    },
    notes: `${TOKEN_NOTES}
It is needed only with --url.

Exit codes: 0 if every plant was created, 1 if one was not, or had a response that breaks the contract, or the service cannot be
reached, 2 if the command is invalid.`,
  },
  async (values) => {
    const rate = wholeNumber('rate', values.rate, 1, MOST.rate);
    const seconds = wholeNumber('seconds', values.seconds, 1, MOST.seconds);
    const connections = wholeNumber('connections', values.connections, 1, MOST.connections);
    const wanted = { rate, seconds };
    if (values.url !== undefined)
      return load({ url: readBaseUrl(values.url), token: await readToken() }, wanted, connections);
    const own = await startOwnServer();
    try {
      await load(own, wanted, connections);
    } finally {
      own.process.kill();
    }
  },
);

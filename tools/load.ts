/** `npm run load`: creates plants at a steady rate, and reports the answers and their latency. */
import { readBaseUrl, readToken, TOKEN_NOTES, TOKEN_OPTION } from './access-token-input.ts';
import { runCommand, wholeNumber } from './command-line.ts';
import { startOwnServer } from './own-server.ts';

/** Enough for a measurement, but not expensive, and unlike an attack. */
const MOST = { rate: 2_000, seconds: 600, connections: 1_000 };

await runCommand(
  {
    usage:
      'npm run load -- [--url BASE_URL] [--rate N] [--seconds N] [--connections N]\n             [--plot FILE] [--allow-overload]',
    about: 'Creates plants at a steady rate, and shows the answers and their latency.',
    options: {
      url: {
        value: 'BASE_URL',
        about: 'a running service, which keeps the plants (default: a new one in memory)',
      },
      rate: { value: 'N', about: `requests per second, at most ${MOST.rate}`, default: '200' },
      seconds: { value: 'N', about: `duration in seconds, at most ${MOST.seconds}`, default: '10' },
      connections: {
        value: 'N',
        about: `connections, at most ${MOST.connections}; other requests wait for one`,
        default: '50',
      },
      plot: { value: 'FILE', about: 'file for a plot of the latency of each second', default: 'load.svg' },
      'allow-overload': {
        about: 'accept answers 42901, 50301 and 50401: the load is meant to exceed a limit',
      },
      token: TOKEN_OPTION,
    },
    notes: `${TOKEN_NOTES}
It is needed only with --url.

Exit codes: 0 if every plant was created, 1 if one was not, or had no answer of a Plant Store, or the service cannot be
reached, 2 if the command is invalid.`,
  },
  async (values) => {
    const rate = wholeNumber('rate', values.rate, 1, MOST.rate);
    const seconds = wholeNumber('seconds', values.seconds, 1, MOST.seconds);
    const connections = wholeNumber('connections', values.connections, 1, MOST.connections);
    const options = {
      rate,
      seconds,
      connections,
      plot: values.plot,
      allowOverload: values['allow-overload'],
    };
    const given =
      values.url === undefined ? undefined : { url: readBaseUrl(values.url), token: await readToken() };
    // Loaded only now, so that help and refused options do not wait for it.
    const { load } = await import('./load-report.ts');
    if (given) return load(given, options);
    const own = await startOwnServer();
    try {
      await load(own, options);
    } finally {
      own.process.kill();
    }
  },
);

/** `npm run load`: creates plants at a steady rate, and reports the answers and their latency. */
import { readBaseUrl, readToken, TOKEN_NOTES, TOKEN_OPTION } from './access-token-input.ts';
import { runCommand, wholeNumber } from './command-line.ts';
import { startOwnServer } from './own-server.ts';

/** Enough for a measurement, but not expensive, and unlike an attack. */
const MOST = { rate: 2_000, seconds: 600 };

await runCommand(
  {
    usage: 'npm run load -- [--url BASE_URL] [--rate N] [--seconds N] [--plot FILE]',
    about: 'Creates plants at a steady rate, and shows the answers and their latency.',
    options: {
      url: {
        value: 'BASE_URL',
        about: 'a running service, which keeps the plants (default: a new one in memory)',
      },
      rate: { value: 'N', about: `requests per second, at most ${MOST.rate}`, default: '200' },
      seconds: { value: 'N', about: `duration in seconds, at most ${MOST.seconds}`, default: '10' },
      plot: { value: 'FILE', about: 'file for a plot of the latency of each second', default: 'load.svg' },
      token: TOKEN_OPTION,
    },
    notes: `${TOKEN_NOTES}
It is needed only with --url.

Exit codes: 0 if every request was answered, 1 if some were not, or not by a Plant Store, or the service cannot be reached,
2 if the command is invalid.`,
  },
  async (values) => {
    const rate = wholeNumber('rate', values.rate, 1, MOST.rate);
    const seconds = wholeNumber('seconds', values.seconds, 1, MOST.seconds);
    const given =
      values.url === undefined ? undefined : { url: readBaseUrl(values.url), token: await readToken() };
    // Loaded only now, so that help and refused options do not wait for it.
    const { load } = await import('./load-report.ts');
    if (given) return load(given, { rate, seconds }, values.plot);
    const own = await startOwnServer();
    try {
      await load(own, { rate, seconds }, values.plot);
    } finally {
      own.process.kill();
    }
  },
);

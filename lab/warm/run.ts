/** `npm run lab -- warm`: measures whether a warm process grows, and whether its refusals show how much of a token is right. */
import { runCommand, wholeNumber } from '../../terminal/command-line.ts';
import { measureMemory, SAMPLES } from './memory.ts';
import { measureRefusals } from './refusal.ts';

await runCommand(
  {
    usage: 'npm run lab -- warm [--requests N] [--rounds N]',
    about:
      'Measures whether the memory of a warm process grows, and whether its time to refuse a token depends on how much of it is right.',
    options: {
      requests: { value: 'N', about: `requests to measure memory, at least ${SAMPLES}`, default: '200000' },
      rounds: { value: 'N', about: 'refusals of each kind, 100 to 100000', default: '3000' },
    },
  },
  async ({ requests, rounds }) => {
    const count = wholeNumber('requests', requests, SAMPLES, 1e9);
    const each = wholeNumber('rounds', rounds, 100, 100_000);
    // First, while the heap is small: collecting garbage would delay some refusals.
    await measureRefusals(each);
    await measureMemory(count);
  },
);

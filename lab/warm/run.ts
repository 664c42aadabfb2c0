/** `npm run lab -- warm`: measures whether the memory of a warm process grows. */
import { runCommand, wholeNumber } from '../../terminal/command-line.ts';
import { measureMemory, SAMPLES } from './memory.ts';

await runCommand(
  {
    usage: 'npm run lab -- warm [--requests N]',
    about: 'Measures whether the memory of a warm process grows.',
    options: {
      requests: { value: 'N', about: `number of requests, at least ${SAMPLES}`, default: '200000' },
    },
  },
  ({ requests }) => measureMemory(wholeNumber('requests', requests, SAMPLES, 1e9)),
);

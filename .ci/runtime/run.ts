/** `npx node .ci/runtime/run.ts`: builds AWS's runtime client on first use, then runs the trial. */
import { runTrial } from '../run-trial.ts';
import { installClient } from './install-client.ts';

const about = "Starts the deployed asset as Lambda does, under AWS's Lambda runtime client.";
await runTrial('runtime', about, '*.runtime.ts', installClient);

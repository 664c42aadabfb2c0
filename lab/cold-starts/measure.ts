import type { Stage } from '../../infra/stage-settings.ts';
import { SIGNALS } from '../../terminal/interrupt.ts';
import { printError } from '../../terminal/print.ts';
import { withStageToken } from '../../tools/shared/stage-access.ts';
import { newId } from '../../tools/verify/ids.ts';
import type { LatestVersion } from './latest-version.ts';
import type { Report } from './platform-report.ts';

/** Lambda Developer Guide, "Modifying the runtime environment". */
const SCRIPT = 'AWS_LAMBDA_EXEC_WRAPPER';

const sayWhatIsLeft = () => printError('Restoring the function …');

/** One request. */
export interface Sample extends Report {
  readonly withScript: boolean;
}

/**
 * Measures cold starts, and restores the function's configuration, whatever happens.
 * @param count how many with the start script, and how many without; the two alternate
 * @param onProgress gets the number of pairs so far
 * @throws PlainError if a request is not 200, a call of AWS fails, somebody else changes the function, or at Ctrl-C
 */
export async function measure(
  stage: Stage,
  latest: LatestVersion,
  count: number,
  onProgress: (done: number) => void,
): Promise<Sample[]> {
  const samples: Sample[] = [];
  const { [SCRIPT]: script, ...others } = latest.variables;
  const kinds: [boolean, Readonly<Record<string, string>>][] = [[false, others]];
  // Without the setting, the script is not in the asset either.
  if (script !== undefined) kinds.unshift([true, { ...others, [SCRIPT]: script }]);
  // A second Ctrl-C would end this process before the function is restored.
  for (const signal of SIGNALS) process.on(signal, sayWhatIsLeft);
  try {
    await withStageToken(stage, async (_, token, interrupted) => {
      for (let done = 0; done < count; done += 1) {
        for (const [withScript, variables] of kinds) {
          interrupted.throwIfAborted();
          await latest.renew(variables);
          samples.push({ withScript, ...(await latest.invoke(eventOf(token))) });
        }
        onProgress(done + 1);
      }
    });
  } finally {
    await latest.restore();
    for (const signal of SIGNALS) process.off(signal, sayWhatIsLeft);
  }
  return samples;
}

/** A request to create a plant, as the gateway passes it on: proxy event, payload version 1.0. */
function eventOf(token: string): object {
  const id = newId();
  const body = `{"id":${id},"name":"Cold start","tag":"trial"}`;
  return {
    resource: '/plants',
    path: '/plants',
    httpMethod: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    requestContext: { requestId: `cold-start${id}`, identity: { sourceIp: '127.0.0.1' } },
    body: Buffer.from(body).toString('base64'),
    isBase64Encoded: true,
  };
}

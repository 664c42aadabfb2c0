import { errorOf, judgeResponse } from '../../contract/judge-response.ts';
import { OUTPUTS } from '../../infra/names.ts';
import { causeOf, sendHttp } from '../../operate/send-http.ts';
import { deployed, ok, problem, type Question } from './question.ts';

/** What to do about responses that are no surprise, by their error. */
const MENDS: Partial<Record<number, string>> = {
  40301: 'the firewall refuses this address; ask from another one',
  42901: 'docs/runbook-alarms.md#throttled',
  50001: 'docs/runbook-alarms.md#gatewayerrors',
  50401: 'docs/runbook-alarms.md#gatewayerrors',
};

/**
 * Whether a client reaches the function: a request without a token must get 40101, which only the function sends. It needs
 * DNS, TLS, the gateway and the function, but no permission, and stores nothing.
 */
export const response: Question = async (subject) => {
  const url = (await deployed(subject)).output(OUTPUTS.baseUrl);
  const headers = [['content-type', 'application/json']] as const;
  const found = await sendHttp(url, { headers, body: '{}' }).catch(causeOf);
  if (typeof found === 'string')
    return problem(
      `${url} cannot be reached (${found})`,
      'check the network here, the DNS record and the certificate of the domain, and the line "drift"',
    );
  // The last violation says what was returned, unless only a header is wrong.
  const wrong = judgeResponse(found, { status: 400, error: 40101 }).at(-1);
  if (wrong === undefined) return ok(`${url} responds, and refuses a request without a token`);
  const mend = MENDS[errorOf(found) ?? 0] ?? `npm run verify -- --stage ${subject.stage.name}`;
  return problem(`${url}: ${wrong}`, mend);
};

import { describe, expect, test } from 'vitest';
import { ATTEMPT_TIMEOUT_MS } from '../../client/src/index.ts';
import { PLANT_RETRY_MS } from '../../commands/import/send-plants.ts';
import { findStage } from '../../infra/find-stage.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import * as limits from '../../lambda/limits.ts';
import { SOON_DAYS, TOKEN_DAYS } from '../../operate/shared/access-tokens.ts';
import { copyOf, propertiesOf, resource, resources } from '../infra/synth.ts';
import { read } from '../support/project.ts';
import { DAY, GATEWAY_AT_VOLUME, MILLION_CREATES, MONTH, REFUSED, TOTAL, TOTAL_AT_VOLUME } from './prices.ts';

const folded = (file: string) => read(file).replace(/\s+/g, ' ');
const number = (value: number) => value.toLocaleString('en-US');
const seconds = (ms: number) => String(ms / 1000);
const price = (dollars: number) => dollars.toFixed(2);

const dev = findStage('dev');
const prod = findStage('prod');
const { MemorySize } = resource(copyOf(prod), 'Function').Properties;

/** A metric of a call of a table that creates do not make. */
const isFurther = (metric: object) =>
  /DynamoDB/.test(JSON.stringify(metric)) && !/PutItem|AccessTokens/.test(JSON.stringify(metric));

/**
 * What CloudWatch charges for a stage each month, in dollars, without the alarm Silence: of its custom metrics, only those with data; and
 * `further` for the calls that creates do not make.
 */
function standing({ expectsPlants: _, ...stage }: Stage) {
  const synth = copyOf(stage);
  const alarms = Object.values(propertiesOf(synth, 'AWS::CloudWatch::Alarm'));
  // An expression is no metric of its own: its parts are.
  const metrics = alarms.flatMap(({ Metrics = [{ MetricStat: {} }] }) =>
    Metrics.flatMap(({ MetricStat = [] }: { MetricStat?: object }) => MetricStat),
  );
  const alarmMetrics = metrics.filter((metric) => !isFurther(metric)).length;
  const further = (metrics.length - alarmMetrics) * 0.1;
  const filters = Object.values(propertiesOf(synth, 'AWS::Logs::MetricFilter'));
  const customMetrics = new Set(filters.map(({ MetricTransformations: [{ MetricName }] }) => MetricName))
    .size;
  const idle = alarmMetrics * 0.1 + resources(synth, 'AWS::CloudWatch::Dashboard').length * 3;
  const most = idle + customMetrics * 0.3;
  return { alarms: alarms.length, alarmMetrics, customMetrics, idle, most, further };
}
const { alarms, alarmMetrics, customMetrics, idle, most, further } = standing(prod);
const ofDev = standing(dev);
const perMonth = price(most);
/** More than both stages cost, in dollars a month. */
const BOTH_STAGES = 19;
const rowOf = (stage: string, { throttle: { rate, burst } }: typeof dev) =>
  `| stage throttle, ${stage} | ${rate} a second | \`infra/stages.ts\`: rate ${number(rate)}, burst ${number(burst)} | 42901 |`;

/** What documents say about figures of the code, wherever their lines break. */
const FIGURES: Readonly<Record<string, readonly string[]>> = {
  'README.md': [
    `valid for ${TOKEN_DAYS.default} days by default, at most ${TOKEN_DAYS.most}`,
    `cached for ${seconds(limits.TOKEN_CACHE_MS)} s`,
    `cost less than $${BOTH_STAGES} a month, and [$${price(TOTAL)} per million plants]`,
  ],
  'docs/first-deployment.md': [
    `[less than $${BOTH_STAGES} a month]`,
    `and $${price(TOTAL)} more per million`,
  ],
  'SECURITY.md': [`stops working within ${seconds(limits.TOKEN_CACHE_MS)} seconds`],
  'contract/openapi.yaml': [
    `at most ${limits.MAX_NUMBER_CHARACTERS} characters`,
    `Up to ${number(limits.MAX_JSON_DEPTH)} levels of nesting`,
    `${limits.MAX_BODY_BYTES / 2 ** 20} MiB (${number(limits.MAX_BODY_BYTES)} bytes)`,
    `${limits.MAX_ITEM_BYTES / 1024} KB (${number(limits.MAX_ITEM_BYTES)} bytes)`,
  ],
  'docs/deploy.md': [`for ${prod.canaryMinutes} minutes`],
  'docs/import.md': [`${prod.logDays} days in prod, ${dev.logDays} in dev`],
  'docs/operate.md': [`expire within ${SOON_DAYS} days`],
  'docs/runbook-alarms.md': [
    `gave up ${seconds(limits.EARLY_RESPONSE_RESERVE_MS)} s before`,
    `within ${seconds(limits.ATTEMPT_MS)} s, or ${seconds(limits.STORE_BUDGET_MS)} s in all`,
    `a million cost $${price(REFUSED)}: 200 a second are $${Math.round(200 * DAY * REFUSED)} a day, and ${prod.throttle.rate} a second, prod's throttle, $${Math.round(prod.throttle.rate * DAY * REFUSED)}.`,
    `within ${seconds(limits.GATEWAY_TIMEOUT_MS)} s, although Lambda ends it after ${seconds(limits.LAMBDA_TIMEOUT_MS)} s`,
  ],
  'docs/scaling.md': [
    `| API Gateway | ${seconds(limits.GATEWAY_TIMEOUT_MS)} s |`,
    `| Lambda | ${seconds(limits.LAMBDA_TIMEOUT_MS)} s |`,
    `| the handler | ${seconds(limits.LAMBDA_TIMEOUT_MS - limits.EARLY_RESPONSE_RESERVE_MS)} s |`,
    `| all calls of the store | ${seconds(limits.STORE_BUDGET_MS)} s |`,
    `| an attempt | ${seconds(limits.ATTEMPT_MS)} s | the next one; at most ${limits.STORE_ATTEMPTS} for a call |`,
    `| connecting | ${seconds(limits.CONNECT_MS)} s |`,
    rowOf('dev', dev),
    rowOf('prod', prod),
    `at ${prod.throttle.rate / 2} a second in a busy hour (half of the throttle)`,
    `dev's ceiling of ${dev.tableCeiling?.writes} write units`,
    `at ${seconds(limits.STORE_BUDGET_MS)} s, the worst case, ${Math.floor(1e6 / limits.STORE_BUDGET_MS)}`,
    `the stage's ${perMonth} per month`,
    `| Custom metrics | ${customMetrics} × 0.30 | ${price(customMetrics * 0.3)} |`,
    `| Metrics under ${alarms} alarms | ${alarmMetrics} × 0.10 | ${price(alarmMetrics * 0.1)} |`,
    `| **total** | if some request arrives in every hour; dev has no UnknownTokens: ${price(ofDev.most)} | **${perMonth}** |`,
    `Dev and prod together then cost at most $${price(most + ofDev.most)} a month, and $${price(idle + ofDev.idle)} without any traffic,`,
    `10 ms × ${MemorySize / 1024} GB`,
    `$${price(REFUSED)} a million. So 200 a second of a stranger without a token cost $${Math.round(200 * DAY * REFUSED)} a day`,
    `prod's throttle of ${prod.throttle.rate} a second limits it to $${Math.round(prod.throttle.rate * DAY * REFUSED)} a day`,
    `| **${price(TOTAL)}** | **${price(TOTAL_AT_VOLUME)}** |`,
    `| ${price(MILLION_CREATES['API Gateway, REST'])} | ${price(GATEWAY_AT_VOLUME)} |`,
    `| 1 | ${number(Math.round(MONTH * TOTAL + most))} |`,
    `| 100 | ${number(Math.round(100 * MONTH * TOTAL + most))} |`,
    // To a hundred.
    `| 10,000 | ${number(100 * Math.round((10_000 * MONTH * TOTAL_AT_VOLUME + most) / 100))} |`,
    `800 requests: $${(800 * TOTAL * 1e-6).toFixed(3)} for each deployment`,
  ],
  'commands/import.ts': [
    `if the first one gets no response in ${seconds(ATTEMPT_TIMEOUT_MS)} seconds`,
    `if one fails for ${seconds(PLANT_RETRY_MS)} seconds`,
  ],
};

describe.each(Object.entries(FIGURES))('%s agrees with the code', (file, texts) => {
  test.each(texts)('%s', (text) => expect(folded(file)).toContain(text));
});

test.each(Object.entries(MILLION_CREATES))(
  'docs/scaling.md has the price of a million creates: %s, %d',
  (part, dollars) => {
    const row = read('docs/scaling.md')
      .split('\n')
      .find((line) => line.startsWith(`| ${part} |`));
    // A half cent is rounded up.
    expect(row?.split(' | ')[2]).toBe(price(Math.round(dollars * 100 + 1e-6) / 100));
  },
);

test('both stages cost less than README says, with all calls of the tables', () => {
  expect(most + further + ofDev.most + ofDev.further).toBeLessThan(BOTH_STAGES);
});

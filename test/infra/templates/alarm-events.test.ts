import { describe, expect, test } from 'vitest';
import { codeIn, sectionOf, tableIn } from '../../support/runbook.ts';
import { EVERYTHING } from '../../support/test-stages.ts';
import { CAUSES, EVENTS, OUTAGES } from '../alarm-events.ts';
import { firedBy, type Happenings } from '../alarm-simulation.ts';
import { copyOf, propertiesOf } from '../synth.ts';

const synth = copyOf(EVERYTHING);
const alarms = propertiesOf(synth, 'AWS::CloudWatch::Alarm');
const firing = (happenings: Happenings, minutes: number) => firedBy(synth, happenings, minutes);

test('each alarm has its two events', () =>
  expect(Object.keys(EVENTS).sort()).toEqual(Object.keys(alarms).sort()));

test.each(Object.entries(EVENTS))(
  '%s fires for the smallest event, and not for the largest below it',
  (id, { fires, not, minutes }) => {
    expect(firing(fires, minutes)).toContain(id);
    expect(firing(not, minutes)).not.toContain(id);
  },
);

const all = { ...alarms, ...propertiesOf(synth, 'AWS::CloudWatch::CompositeAlarm') };
const paging = Object.keys(all).filter((id) => all[id].AlarmActions.includes(EVERYTHING.pagerTopicArn));
const [group] = Object.values(propertiesOf(synth, 'AWS::CodeDeploy::DeploymentGroup'));
const rollingBack: string[] = group.AlarmConfiguration.Alarms.map(({ Name }: { Name: string }) =>
  Name.slice(1, -1),
);

test.each(Object.entries(OUTAGES))(
  'an outage that lasts longer than the silence pages once, by %s',
  (id, outage) => {
    const fired = firing(outage, 200);
    expect(fired).toContain('Silence');
    expect(fired.filter((each) => paging.includes(each))).toEqual([id]);
  },
);

test('a silence after the end of an outage pages', () => {
  const fired = firing({ 3: [[1, { line: { outcome: 'failed', error: 50001 } }]] }, 200);
  expect(fired.filter((each) => paging.includes(each))).toEqual(['Faults', 'SilenceAlone']);
});

describe('the table of causes', () => {
  const rows = tableIn(sectionOf('runbook-alarms', 'Who is told of what'));
  const named = (cell = '') => [...cell.matchAll(/\[(\w+)\]/g)].map(([, id]) => id).sort();

  test('has a row for each cause that is tried here', () => expect(rows).toHaveLength(CAUSES.length));

  test.each(CAUSES.map(([minutes, happenings], n) => ({ cause: rows[n]?.[0], n, minutes, happenings })))(
    'says whom the alarms tell, and what takes back a canary, and there is one page at most: $cause',
    ({ n, minutes, happenings }) => {
      const [, , pages, after, mails, takesBack] = rows[n] ?? [];
      const fired = firing(happenings, minutes);
      const paged = fired.filter((id) => paging.includes(id));
      expect({ pages: named(pages), mails: named(mails), takesBack: named(takesBack) }).toEqual({
        pages: paged,
        mails: fired.filter((id) => !paging.includes(id)).sort(),
        takesBack: fired.filter((id) => rollingBack.includes(id)).sort(),
      });
      expect(paged.length).toBeLessThanOrEqual(1);
      const [{ Period = 0, Metrics = [], DatapointsToAlarm } = { DatapointsToAlarm: 0 }] = paged.map(
        (id) => alarms[id],
      );
      const needed = ((Period || Metrics[1]?.MetricStat.Period) * DatapointsToAlarm) / 60;
      if (paged[0] === 'SilenceAlone') expect(codeIn(after)).toEqual(['expectsPlants.minutes']);
      else expect(after).toBe(paged.length === 0 ? '' : needed === 1 ? '1 minute' : `${needed} minutes`);
    },
  );
});

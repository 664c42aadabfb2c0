import { describe, expect, test, vi } from 'vitest';
import { bodyOf } from '../../contract/examples.ts';
import { IS_NUMBER } from '../../contract/key.ts';
import { findStage } from '../../infra/find-stage.ts';
import { createPlant } from '../../lambda/create-plant.ts';
import { OUTCOMES } from '../../lambda/request/invocation.ts';
import type { StoreCalls } from '../../lambda/store/store.ts';
import { startOperation } from '../support/function-under-test.ts';
import { read } from '../support/project.ts';
import { codeIn, sectionOf, tableIn } from '../support/runbook.ts';
import { plantEvent } from '../support/test-service.ts';
import { copyOf, only, propertiesOf } from './synth.ts';

const PAGES = ['deploy', 'recover', 'operate', 'identity-provider-runbook'];
const PROCEDURES = PAGES.map((name) => read(`docs/${name}.md`)).join('\n');
const PAGER = 'arn:aws:sns:eu-west-1:111122223333:Pager';
const folded = (text: string) => text.replaceAll(/\s+/g, ' ');
// With every alarm: those that a stage must ask for, too.
const asked = { expectsPlants: { minutes: 60 }, firewall: { requests: 1_000 }, pagerTopicArn: PAGER };
const synth = copyOf({ ...findStage('prod'), ...asked });
const alarms = propertiesOf(synth, 'AWS::CloudWatch::Alarm');
const queries = Object.values(propertiesOf(synth, 'AWS::Logs::QueryDefinition')).map((query) => ({
  name: query.Name.split('/').at(-1) as string,
  text: query.QueryString as string,
  groups: query.LogGroupNames,
}));

const rows = tableIn(sectionOf('log', "The log's fields"));
/** The fields of the log's table, by who writes them. */
const fields = rows.flatMap(([names, writer = '']) => codeIn(names).map((name) => ({ name, writer })));
const fieldsOf = (...writers: string[]) =>
  fields.filter(({ writer }) => writers.includes(writer)).map(({ name }) => name);

test('the runbook names the alarms that page, and has a section with a command for each alarm', () => {
  const linked = sectionOf('runbook-alarms', 'When an alarm fires').matchAll(/\[(\w+)\]\(#/g);
  const all = { ...alarms, ...propertiesOf(synth, 'AWS::CloudWatch::CompositeAlarm') };
  const paging = Object.keys(all).filter((name) => all[name].AlarmActions.includes(PAGER));
  expect([...linked].map(([, name]) => name).sort()).toEqual(paging.sort());
  // alarms.test.ts tests that their names end so.
  for (const name of Object.keys(alarms))
    expect(sectionOf('runbook-alarms', name), name).toMatch(/npm run |AWS Health/);
});

test('the commands that stop prod have its API, and set its throttle to 0', () => {
  const section = sectionOf('operate', 'Stop a stage');
  const [, api = ''] = /\?name=='([\w-]+)'/.exec(section) ?? [];
  expect(only(synth, 'AWS::ApiGateway::RestApi').Properties.Name).toBe(api);
  expect(section).toContain('for limit in rateLimit burstLimit; do');
  expect(section).toContain('/throttling/$limit,value=0');
});

test('the queries and the graphs that the documents name are deployed', () => {
  const all = folded(`${PROCEDURES}\n${read('docs/runbook-alarms.md')}`);
  const named = new Set([...all.matchAll(/--stage \w+ --query ([a-z-]+)/g)].map(([, name = '']) => name));
  const deployed = queries.map(({ name }) => name);
  expect(named.size).toBeGreaterThan(5);
  expect([...named].filter((name) => !deployed.includes(name))).toEqual([]);
  const dashboard = JSON.stringify(only(synth, 'AWS::CloudWatch::Dashboard'));
  const graphs = [...all.matchAll(/graphs? ("[^"]+"(?: and "[^"]+")*)/g)].flatMap(([, titles = '']) =>
    [...titles.matchAll(/"([^"]+)"/g)].map(([, title]) => title),
  );
  expect(graphs.length).toBeGreaterThan(3);
  for (const title of graphs) expect(dashboard).toContain(title);
});

test('a restored table of dev gets the ceiling of dev', () => {
  const [, reads, writes] = /MaxReadRequestUnits=(\d+),MaxWriteRequestUnits=(\d+)/.exec(PROCEDURES) ?? [];
  expect({ reads: Number(reads), writes: Number(writes) }).toEqual(findStage('dev').tableCeiling);
});

test('the logical ids in the procedures are in the template', () => {
  const options =
    /(?:--logical-resource-id |\$\(physical_id |LogicalResourceId=='|\bTABLE=|--allow |-inline "\{\\"|\},\\")([A-Z]\w*)/g;
  const ids = [...PROCEDURES.matchAll(options)].map(([, id]) => id);
  expect(ids).toEqual(expect.arrayContaining(['Plants', 'AccessTokens', 'Deployment', 'Live']));
  expect(Object.keys(synth.template.Resources)).toEqual(expect.arrayContaining(ids));
});

describe('the table of log fields', () => {
  test('has exactly the fields of the function', async () => {
    const create = vi.fn(async (_: unknown, calls: StoreCalls): Promise<'created'> => {
      Object.assign(calls, {
        attempts: 2,
        fault: 'ThrottlingException',
        throttlingReason: 'TableWriteAccountLimitExceeded',
      });
      return 'created';
    });
    const { lines, handler } = startOperation(createPlant({ find: async () => 'ci' }, create), {
      traceHeader: () => 'Root=1-5759e988-bd862e3fe1be46a994272793;Sampled=1',
    });
    await handler(plantEvent('"plants_guess"', '{}'));
    await handler(plantEvent('plants', bodyOf(1).replace(/(?<="id":)\d+/, '1e15')));
    create.mockRejectedValue(new TypeError('a bug'));
    await handler(plantEvent('plants', bodyOf(1)));
    const logged = new Set(lines.flatMap(Object.keys).map((name) => `message.${name}`));
    // Only a number can be written so.
    if (!IS_NUMBER) logged.add('message.idForm');
    expect(fieldsOf('function').sort()).toEqual([...logged].sort());
  });

  test('has exactly the outcomes of the function', () => {
    const outcomes = tableIn(sectionOf('log', 'Outcomes')).flatMap(([name]) => codeIn(name));
    expect(outcomes.sort()).toEqual([...OUTCOMES].sort());
  });

  test('has exactly the fields of the gateway', () => {
    const { Format } = only(synth, 'AWS::ApiGateway::Stage').Properties.AccessLogSetting;
    expect(fieldsOf('gateway').sort()).toEqual(Object.keys(JSON.parse(Format)).sort());
  });

  test.each(queries)('has each field of the query $name', ({ text, groups }) => {
    const ofGroups = JSON.stringify(groups);
    const known = [
      ...(ofGroups.includes('FunctionLogs') ? fieldsOf('function', 'Lambda') : []),
      ...(ofGroups.includes('AccessLogs') ? fieldsOf('gateway') : []),
      // Aliases, and what the query itself extracts.
      ...[...text.matchAll(/ as (\w+)/g)].map(([, name]) => name),
      ...[...text.matchAll(/\(\?<(\w+)>/g)].map(([, name]) => name),
    ];
    const words = text
      .replaceAll(/"[^"]*"|\/[^/]+\/|count\(\*\)|(min|max|latest)\(/g, '')
      .replaceAll(/^(\| )?(parse|filter|stats|sort|fields|limit)\b/gm, '')
      .match(/(?<![@\w])[a-z][\w.]*/gi);
    const used = words?.filter((word) => !/^(ispresent|not|as|by|asc|desc|and|or|like)$/.test(word)) ?? [];
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((word) => !known.includes(word))).toEqual([]);
  });
});

// The four types of @aws-sdk/client-dynamodb 3.1169, `ThrottlingReason`.
test('the runbook says what to do about each reason for a throttle', () => {
  const reasons = tableIn(sectionOf('runbook-alarms', 'TableThrottles')).flatMap(([name]) => codeIn(name));
  expect(reasons).toEqual([
    'MaxOnDemandThroughputExceeded',
    'AccountLimitExceeded',
    'KeyRangeThroughputExceeded',
    'ProvisionedThroughputExceeded',
  ]);
});

test('docs/log.md lists every query', () => {
  const listed = tableIn(sectionOf('log', 'Queries')).flatMap(([name]) => codeIn(name));
  expect(listed.sort()).toEqual(queries.map(({ name }) => name).sort());
});

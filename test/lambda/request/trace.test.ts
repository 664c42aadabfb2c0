import { describe, expect, test } from 'vitest';
import { sampledTrace } from '../../../lambda/request/trace.ts';

describe('the trace in the log', () => {
  const ROOT = '1-5759e988-bd862e3fe1be46a994272793';
  test.each([
    ['a sampled request', `Root=${ROOT};Parent=53995c3f42cd8ad8;Sampled=1`, ROOT],
    ['a sampled request with Lambda’s lineage', `Root=${ROOT};Parent=5;Sampled=1;Lineage=1:2:3`, ROOT],
    ['a request that was not sampled', `Root=${ROOT};Parent=53995c3f42cd8ad8;Sampled=0`, undefined],
    ['a request without a decision', `Root=${ROOT}`, undefined],
    ['an unknown decision', `Root=${ROOT};Sampled=10`, undefined],
    ['no header', undefined, undefined],
    ['a root that is not an id', 'Root=plants_0;Sampled=1', undefined],
    ['a root that goes on', `Root=${ROOT}0;Sampled=1`, undefined],
    ['another field with such a name', `OldRoot=${ROOT};Sampled=1`, undefined],
  ])('of %s', (_, header, trace) => {
    expect(sampledTrace(header)).toBe(trace);
  });
});

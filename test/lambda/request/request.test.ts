import { describe, expect, test } from 'vitest';
import { readRequest } from '../../../lambda/request/request.ts';

describe('the event of a request', () => {
  test('is used unchanged', () => {
    const event = { httpMethod: 'POST', requestContext: { requestId: 'gateway-1' } };
    const { http, requestId } = readRequest(event, { awsRequestId: 'lambda-1' });
    expect(http).toBe(event);
    expect(requestId).toBe('gateway-1');
  });

  // No gateway sends these ids, some of which cannot be converted to a string.
  test.each([[undefined], [''], [7], [[]], [Object.create(null)]])(
    'without a valid request id, Lambda’s is used: %j',
    (requestId) => {
      const event = { requestContext: { requestId } };
      expect(readRequest(event, { awsRequestId: 'lambda-1' }).requestId).toBe('lambda-1');
    },
  );

  test.each([
    ['of a gateway', 'JKJaXmPLvHcESHA=', 'JKJaXmPLvHcESHA='],
    ['that is absent', undefined, undefined],
    ['that is empty', '', undefined],
    ['that is no text', Object.create(null), undefined],
  ])('an extended request id %s', (_, extendedRequestId, read) => {
    const event = { requestContext: { requestId: 'gateway-1', extendedRequestId } };
    expect(readRequest(event, { awsRequestId: 'lambda-1' }).extendedRequestId).toBe(read);
  });
});

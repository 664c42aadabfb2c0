import { vi } from 'vitest';
import { load } from '../support/function-under-test.ts';
import { keepsTheContract } from './keeps-the-contract.ts';

keepsTheContract('the deployed bundle', ({ store }) => {
  vi.spyOn(console, 'info').mockImplementation(() => undefined);
  const { handler } = load(store.endpoint);
  return (event, context = {}) => handler(event, context);
});

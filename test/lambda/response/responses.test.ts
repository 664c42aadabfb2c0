import { expect, test } from 'vitest';
import { plantResponse } from '../../../lambda/response/responses.ts';

// The cases of the contract test everything else about responses.

test('a 200 contains only the name and, if there is one, the tag, whatever else the plant has', () => {
  const plant = { id: 1n, tag: 'shade', note: 'secret', name: 'Fern' };
  expect(plantResponse(plant, 'request-1').body).toBe('{"name":"Fern","tag":"shade"}');
});

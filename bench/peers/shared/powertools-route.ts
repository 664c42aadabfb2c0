import type { Router } from '@aws-lambda-powertools/event-handler/http';
import { answer, errorOf, Refusal } from './answers.ts';
import { create } from './create.ts';
import type { Store } from './store.ts';
import { requireToken } from './tokens.ts';

/** The operation on Powertools' router. */
export function addPlants(app: Router, store: Store): void {
  app.errorHandler(Error, async (error) => answer(400, errorOf(error)));
  app.post('/plants', async ({ req }) => {
    await requireToken(req.headers.get('authorization') ?? undefined, store);
    const value = await req.json().catch(() => {
      throw new Refusal(40001, 'The body must be JSON.');
    });
    return await create(value, store);
  });
}

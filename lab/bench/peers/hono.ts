import { Hono } from 'hono';
import { handle } from 'hono/aws-lambda';
import { create, errorOf, Refusal, requireToken } from './shared/operation.ts';
import { store } from './shared/store-document.ts';

const app = new Hono();
app.onError((error, context) => context.json(errorOf(error), 400));
app.post('/plants', async (context) => {
  await requireToken(context.req.header('Authorization'), store);
  const value = await context.req.json().catch(() => {
    throw new Refusal(40001, 'The body must be JSON.');
  });
  return context.json(await create(value, store));
});

/** Hono with its own Lambda adapter. */
export const handler = handle(app);

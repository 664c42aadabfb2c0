import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { z } from 'zod';
import { answer, errorOf, plantOf, Refusal } from './shared/answers.ts';
import type { NewPlant } from './shared/plant.ts';
import { store } from './shared/store-document.ts';
import { requireToken } from './shared/tokens.ts';

const newPlant = z.object({ id: z.int(), name: z.string(), tag: z.string().optional() });

/** middy with zod for the body. */
export const handler = middy<APIGatewayProxyEvent, APIGatewayProxyResult>()
  .use({
    onError: (request) => {
      request.response = answer(400, errorOf(request.error));
    },
  })
  .use({ before: ({ event }) => requireToken(event.headers.Authorization, store) })
  .handler(async (event) => {
    const parsed = newPlant.safeParse(json(event));
    if (!parsed.success) throw new Refusal(40002, parsed.error.issues[0]?.message ?? 'not a NewPlant');
    const plant = parsed.data as NewPlant;
    if (!(await store.createPlant(plant))) throw new Refusal(40901, 'The id belongs to a different plant.');
    return answer(200, plantOf(plant));
  });

function json({ body, isBase64Encoded }: APIGatewayProxyEvent): unknown {
  try {
    return JSON.parse(Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8').toString());
  } catch {
    throw new Refusal(40001, 'The body must be JSON.');
  }
}

import middy from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import validator from '@middy/validator';
import { transpileSchema } from '@middy/validator/transpile';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { answer, errorOf, plantOf, Refusal } from './shared/answers.ts';
import { NEW_PLANT_SCHEMA, type NewPlant } from './shared/plant.ts';
import { store } from './shared/store-document.ts';
import { requireToken } from './shared/tokens.ts';

const eventSchema = transpileSchema(
  { type: 'object', required: ['body'], properties: { body: NEW_PLANT_SCHEMA } },
  { coerceTypes: false },
);

/** middy with middy's own parser, validator (ajv, compiled at start) and error handler. */
export const handler = middy<APIGatewayProxyEvent, APIGatewayProxyResult>()
  // First in, last out: makes the contract's 400 of whatever status the others chose.
  .use({
    onError: (request) => {
      request.response = answer(400, errorOf(request.error));
    },
  })
  .use(httpErrorHandler({ logger: false }))
  .use({ before: ({ event }) => requireToken(event.headers.Authorization, store) })
  .use(httpJsonBodyParser())
  .use(validator({ eventSchema }))
  .handler(async (event: { body: unknown }) => {
    const plant = event.body as NewPlant;
    if (!(await store.createPlant(plant))) throw new Refusal(40901, 'The id belongs to a different plant.');
    return answer(200, plantOf(plant));
  });

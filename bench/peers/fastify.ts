import awsLambdaFastify from '@fastify/aws-lambda';
import Fastify from 'fastify';
import { errorOf, plantOf, Refusal } from './shared/answers.ts';
import { NEW_PLANT_SCHEMA, type NewPlant } from './shared/plant.ts';
import { store } from './shared/store-document.ts';
import { requireToken } from './shared/tokens.ts';

// Fastify would make 7 into "7" by default.
const app = Fastify({ ajv: { customOptions: { coerceTypes: false } } });
app.setErrorHandler((error, _request, reply) => reply.status(400).send(errorOf(error)));
app.addHook('onRequest', (request) => requireToken(request.headers.authorization, store));
app.post('/plants', { schema: { body: NEW_PLANT_SCHEMA } }, async (request) => {
  const plant = request.body as NewPlant;
  if (!(await store.createPlant(plant))) throw new Refusal(40901, 'The id belongs to a different plant.');
  return plantOf(plant);
});

/** Fastify, with its own validation, through its Lambda adapter. */
export const handler = awsLambdaFastify(app);

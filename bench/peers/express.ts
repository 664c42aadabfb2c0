import { configure } from '@codegenie/serverless-express';
import express, { type NextFunction, type Request, type Response } from 'express';
import { errorOf } from './shared/answers.ts';
import { create } from './shared/create.ts';
import { store } from './shared/store-document.ts';
import { requireToken } from './shared/tokens.ts';

const app = express();
// Before the token: after an asynchronous step the adapter's request counts as finished and its body is not parsed.
app.use(express.json());
app.use(async (request, _response, next) => {
  await requireToken(request.get('authorization'), store);
  next();
});
app.post('/plants', async (request, response) => {
  response.json(await create(request.body, store));
});
app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
  response.status(400).json(errorOf(error));
});

/** Express through serverless-express. */
export const handler = configure({ app });

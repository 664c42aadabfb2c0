import { Router } from '@aws-lambda-powertools/event-handler/http';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { addPlants } from './shared/powertools-route.ts';
import { store } from './shared/store-document.ts';

const app = new Router();
addPlants(app, store);

/** Powertools' event handler alone. */
export const handler = (event: APIGatewayProxyEvent, context: Context) => app.resolve(event, context);

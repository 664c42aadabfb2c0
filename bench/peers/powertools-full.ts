import { Router } from '@aws-lambda-powertools/event-handler/http';
import { metrics as metricsMiddleware } from '@aws-lambda-powertools/event-handler/http/middleware/metrics';
import { tracer as tracerMiddleware } from '@aws-lambda-powertools/event-handler/http/middleware/tracer';
import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics } from '@aws-lambda-powertools/metrics';
import { Tracer } from '@aws-lambda-powertools/tracer';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { addPlants } from './shared/powertools-route.ts';
import { store } from './shared/store-document.ts';

const logger = new Logger({ serviceName: 'plant-store' });
const metrics = new Metrics({ namespace: 'PlantStore', serviceName: 'plant-store' });
const tracer = new Tracer({ serviceName: 'plant-store' });

const app = new Router({ logger });
app.use(tracerMiddleware(tracer));
app.use(metricsMiddleware(metrics));
addPlants(app, store);

/** Powertools' event handler with logger, metrics and tracer, one line and one set of metrics per request. */
export const handler = async (event: APIGatewayProxyEvent, context: Context) => {
  logger.addContext(context);
  const answer = await app.resolve(event, context);
  logger.info('request', { status: answer.statusCode });
  return answer;
};

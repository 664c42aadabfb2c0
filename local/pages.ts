import { API_PAGE } from './api-page.ts';
import type { Page } from './gateway.ts';

/** What `npm start` shows beside the API. A deployed API has no pages. */
export const PAGES: readonly Page[] = [API_PAGE];

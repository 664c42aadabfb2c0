/** The route of an operation, as the gateway knows it. */
export interface Route {
  readonly method: string;
  readonly path: string;
}

/** The routes of the service's operations. The function, the gateway and its local stand-in read them. */
export const ROUTES = {
  createPlant: { method: 'POST', path: '/plants' },
} as const satisfies Readonly<Record<string, Route>>;

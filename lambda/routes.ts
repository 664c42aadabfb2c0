/** The route of an operation, as the gateway knows it. */
export interface Route {
  readonly method: string;
  /** Of letters, digits and hyphens. A segment may be a parameter, as in `/plants/{id}`: any text without a slash. */
  readonly path: string;
}

/** The routes of the service's operations. The function, the gateway and its local stand-in read them. */
export const ROUTES = {
  createPlant: { method: 'POST', path: '/plants' },
} as const satisfies Readonly<Record<string, Route>>;

export type OperationName = keyof typeof ROUTES;

/** All of them, such as `POST /plants`. */
export const ROUTES_IN_WORDS = Object.values(ROUTES)
  .map(({ method, path }) => `${method} ${path}`)
  .join(', ');

/**
 * The parameters in a path, by name and as they were sent: with percent-encoding.
 * @param path may begin with the base path of a custom domain
 * @returns undefined if the path is not that of the route
 */
export function parametersOf(route: Route, path: string): Readonly<Record<string, string>> | undefined {
  const pattern = route.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  const match = RegExp(`(?:^|[^/])${pattern}$`).exec(path);
  return match ? { ...match.groups } : undefined;
}

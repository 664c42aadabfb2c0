import { OPENAPI } from './openapi.ts';

/** The first of the ids of these cases; those of cases/ are others. */
const FIRST_ID = 16_100;

/** The methods that the gateway passes to the function, and whether a request has a body. */
const METHODS = { GET: false, POST: true, PUT: true, PATCH: true, DELETE: false, OPTIONS: false };

/**
 * Makes the cases of what is no operation, of the paths in openapi.yaml: each with the methods that it does not have, and so the root and
 * the address of a single plant, also without an operation there.
 */
export function routeCases(paths: Readonly<Record<string, object>> = OPENAPI.paths) {
  const tried = Object.entries({ '/': {}, '/plants/{id}': {}, ...paths }).flatMap(([path, operations]) =>
    Object.entries(METHODS)
      .filter(([method]) => !(method.toLowerCase() in operations))
      .map(([method, hasBody]) => ({ path, method, hasBody })),
  );
  const cases = tried.map(({ path, method, hasBody }, n) => {
    const id = `⟨id ${FIRST_ID + n}⟩`;
    return {
      name: `${method} ${path} is not an operation`,
      method,
      path: path.replaceAll(/\{\w+\}/g, id),
      headers: { authorization: null, ...(hasBody ? {} : { 'content-type': null }) },
      ...(hasBody && { body: `{"id":${id},⟨plant⟩}` }),
      error: 40401,
    };
  });
  return { group: 'methods of each path', cases };
}

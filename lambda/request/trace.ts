/** A trace id, and the decision that the request is sampled (X-Ray Developer Guide, "Tracing header"). */
const SAMPLED = /(?:^|;)Root=(1-[\da-f]{8}-[\da-f]{24});(?:.*;)?Sampled=1(?:;|$)/;

/**
 * Reads the tracing header of a request, whose id a client may have chosen.
 * @returns the id of the trace; undefined if the request is not sampled, so that there is no trace
 */
export function sampledTrace(header: string | undefined): string | undefined {
  return header === undefined ? undefined : SAMPLED.exec(header)?.[1];
}

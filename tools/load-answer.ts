import type { Answer } from './verify/judge-answer.ts';

/**
 * Judges the answer to a plant.
 * @param sent the request's body
 * @returns 200 if the plant is stored, the number of an Error, another status, or undefined for a 200 or 400 that the
 * service cannot have sent
 */
export function resultOf({ status, headers, body }: Answer, sent: string): number | undefined {
  if (status !== 200 && status !== 400) return status;
  const isJson = /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '');
  const { name, tag, error, message } = isJson ? parseObject(body) : {};
  if (status === 400) return isErrorNumber(error) && typeof message === 'string' ? error : undefined;
  const plant = parseObject(sent);
  return name === plant.name && tag === plant.tag ? 200 : undefined;
}

/** The first three digits are the HTTP status of an error. */
function isErrorNumber(error: unknown): error is number {
  return Number.isInteger(error) && /^[45]\d{4}$/.test(String(error));
}

function parseObject(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

import { PlainError } from './plain-error.ts';

/**
 * Does something with a file.
 * @param what what cannot be done to the file if it fails, such as `written to`
 * @throws PlainError with the file and the system's error code
 */
export function onFile<Result>(file: string, what: string, step: () => Result): Result {
  try {
    return step();
  } catch (error) {
    if (error instanceof PlainError) throw error;
    throw new PlainError(`${file} cannot be ${what} (${(error as NodeJS.ErrnoException).code}).`);
  }
}

import { stdout } from 'node:process';

/**
 * From here on `console.info` prints an object as Lambda's JSON log format does: one line, wrapped. Text stays text.
 * A standard output that can no longer be written to, as in `npm start | head -1`, does not end the service.
 */
export function printAsLambdaLogs(): void {
  stdout.on('error', () => undefined);
  console.info = (message: unknown) => {
    const line =
      typeof message === 'string'
        ? message
        : JSON.stringify({ timestamp: new Date().toISOString(), level: 'INFO', message });
    stdout.write(`${line}\n`);
  };
}

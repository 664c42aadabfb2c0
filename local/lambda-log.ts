import { stdout } from 'node:process';

/**
 * Makes `console.info` print an object as one line in Lambda's JSON log format. It prints strings unchanged. A closed
 * standard output, as in `npm start | head -1`, does not end the service.
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

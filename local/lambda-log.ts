import { stdout } from 'node:process';

/** Makes `console.info` print an object as one line in Lambda's JSON log format. It prints strings unchanged. */
export function printAsLambdaLogs(): void {
  console.info = (message: unknown) => {
    const line =
      typeof message === 'string'
        ? message
        : JSON.stringify({ timestamp: new Date().toISOString(), level: 'INFO', message });
    stdout.write(`${line}\n`);
  };
}

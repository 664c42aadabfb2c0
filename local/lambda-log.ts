import { stdout } from 'node:process';

/** From here on `console.info` prints an object as Lambda's JSON log format does: one line, wrapped. Text stays text. */
export function printAsLambdaLogs(): void {
  console.info = (message: unknown) => {
    const line =
      typeof message === 'string'
        ? message
        : JSON.stringify({ timestamp: new Date().toISOString(), level: 'INFO', message });
    stdout.write(`${line}\n`);
  };
}

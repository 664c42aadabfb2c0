/**
 * The flags that Lambda starts Node with: 90 % of the memory for the old space, 5 % for a semi-space. Its `bootstrap` for
 * Node 24 is described in "Deep Dive into AWS Lambda (3): Official Node.js Runtime Analysis" (dev.to).
 * @param memory of the function, in megabytes
 */
export function lambdaFlags(memory: number): string[] {
  const young = Math.floor(memory / 10);
  return [
    '--expose-gc',
    '--max-http-header-size',
    '81920',
    `--max-semi-space-size=${Math.floor(young / 2)}`,
    `--max-old-space-size=${memory - young}`,
  ];
}

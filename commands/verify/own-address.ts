/** Whether an address is this machine's own. Any other may be that of a protected stage. */
export function isOwn(baseUrl: string): boolean {
  return /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(new URL(baseUrl).hostname);
}

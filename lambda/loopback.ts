/**
 * Whether only this machine answers at a host: `localhost`, 127.0.0.0/8 or ::1 (RFC 6761 §6.3, RFC 6890).
 * @param host an IP address, or the host of a URL, in which an IPv6 address has brackets
 */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/.test(host);
}

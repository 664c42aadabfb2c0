import { existsSync, globSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** 127.0.0.0/8, ::1 and ::ffff:127.0.0.0/8, as the kernel writes them: words of four bytes, each backwards. */
const LOOPBACK = /^(?:(?:0{16}FFFF0000)?[0-9A-F]{6}7F|0{24}01000000):/;

/**
 * Whatever this process or those that it has started listen on must not be reachable from another machine. Linux only (proc(5)).
 * @throws Error with the addresses, as the kernel writes them, if other machines can connect
 */
export function refuseOpenPorts(): void {
  if (!existsSync('/proc/net/tcp')) return;
  const rows = ['tcp', 'tcp6'].flatMap((name) => readFileSync(`/proc/net/${name}`, 'utf8').split('\n'));
  const open = rows
    .map((row) => row.trim().split(/\s+/))
    // 0A is LISTEN.
    .filter(([, address = '', , state]) => state === '0A' && !LOOPBACK.test(address));
  if (open.length === 0) return;
  const own = new Set(processTree(process.pid).flatMap(socketsOf));
  const addresses = open.filter((row) => own.has(`socket:[${row[9]}]`)).map(([, address]) => address);
  if (addresses.length > 0) throw new Error(`Other machines can connect to ${addresses.join(', ')}.`);
}

function processTree(pid: number): number[] {
  const children = globSync(`/proc/${pid}/task/*/children`)
    .flatMap((file) => orNone(() => readFileSync(file, 'utf8').split(' ')))
    .filter(Boolean);
  return [pid, ...children.map(Number).flatMap(processTree)];
}

function socketsOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return orNone(() => readdirSync(folder)).flatMap((fd) => orNone(() => [readlinkSync(`${folder}/${fd}`)]));
}

/** A process may end meanwhile, or close a file. */
function orNone(read: () => string[]): string[] {
  try {
    return read();
  } catch {
    return [];
  }
}

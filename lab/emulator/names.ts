/**
 * Loaded first into each command of the trial: LocalStack's names are addresses of this machine, as its public DNS says, which
 * the trial does not need.
 */
import dns from 'node:dns';

const { lookup } = dns;
const lookupHere = (name: string, ...rest: unknown[]) =>
  Reflect.apply(lookup, dns, [name.endsWith('.localhost.localstack.cloud') ? '127.0.0.1' : name, ...rest]);
Object.assign(dns, { lookup: lookupHere });

/**
 * Loaded first into each command of the trial: the addresses of deployed stages are those of the emulator, at the port of this machine
 * that STAGES_PORT names.
 */
import { Socket } from 'node:net';

const { connect } = Socket.prototype;

// Of a connection with TLS, these are its options. Only address and port change: the name for TLS stays.
Socket.prototype.connect = function (this: Socket, options: { host?: string }, ...rest: unknown[]) {
  const isStage = options.host?.includes('.execute-api.');
  const here = isStage ? { ...options, host: '127.0.0.1', port: Number(process.env.STAGES_PORT) } : options;
  return Reflect.apply(connect, this, [here, ...rest]);
} as typeof connect;

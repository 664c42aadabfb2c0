declare module 'dynalite' {
  import type { Server } from 'node:http';

  /** Creates an HTTP server that behaves like DynamoDB; in memory unless a path is given. */
  export default function dynalite(options: { path?: string; createTableMs?: number }): Server;
}

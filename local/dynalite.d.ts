declare module 'dynalite' {
  import type { Server } from 'node:http';

  /** Makes an HTTP server that answers as DynamoDB does; in memory unless a path is given. */
  export default function dynalite(options: {
    path?: string;
    createTableMs?: number;
    deleteTableMs?: number;
    updateTableMs?: number;
  }): Server;
}

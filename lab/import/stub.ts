/** A service that responds at once, and stores nothing. It tells the process that forked it its port. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';

const [body = ''] = process.argv.slice(2);
const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
const server = http.createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(200, headers).end(body));
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));

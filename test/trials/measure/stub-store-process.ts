/** A store in a process of its own that forgets everything: what grows in the other process is the function. */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

const TOKEN = JSON.stringify({ Item: { name: { S: 'memory' }, expires: { N: '32503680000' } } });
const THROTTLED = JSON.stringify({
  __type: 'com.amazonaws.dynamodb.v20120810#ThrottlingException',
  message: '',
});
let puts = 0;

const server = http.createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    const isLookUp = String(request.headers['x-amz-target']).endsWith('GetItem');
    // One put in 200 is throttled, and one in 500 is cut off.
    puts += isLookUp ? 0 : 1;
    const isThrottled = !isLookUp && puts % 200 === 0;
    if (!isLookUp && puts % 500 === 0) return void response.destroy();
    response.writeHead(isThrottled ? 400 : 200, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(isThrottled ? THROTTLED : isLookUp ? TOKEN : '{}');
  });
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);

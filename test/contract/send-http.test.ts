import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { sendHttp } from '../../contract/send-http.ts';
import { listen } from '../../local/listen.ts';

test('sends only the given headers, repeated ones too, with the host and the length in bytes', async () => {
  let sent = '';
  const server = createServer((socket) => {
    socket.setEncoding('latin1').on('data', (text) => {
      sent += text;
      socket.end('HTTP/1.1 299 Any\r\nX-A: b\r\nConnection: close\r\n\r\n\u00ffz', 'latin1');
    });
  });
  const address = await listen(server);
  const headers = [
    ['A', '1'],
    ['A', '2'],
  ] as const;
  const response = await sendHttp(`${address}/prod/`, { headers, body: 'é' });
  server.close();
  const lines = [`host: ${new URL(address).host}`, 'A: 1', 'A: 2', 'content-length: 2', 'Connection: close'];
  expect(sent).toBe(['POST /prod/plants HTTP/1.1', ...lines, '', 'Ã©'].join('\r\n'));
  expect(response).toMatchObject({ status: 299, headers: { 'x-a': 'b' }, body: '\ufffdz' });
  expect(response.bytes).toEqual(Buffer.from([0xff, 0x7a]));
});

import net from 'node:net';

export { sendHttp } from '../../tools/verify/send-http.ts';

/** Writes raw text to a socket. @returns the first answer, or whatever came until the server closed the connection */
export function sendRaw(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = net.connect(Number(port), hostname);
    let back = '';
    const done = () => {
      socket.destroy();
      resolve(back);
    };
    socket.on('data', (chunk) => {
      back += chunk;
      if (isWhole(back)) done();
    });
    socket.on('error', done);
    socket.on('close', done);
    socket.write(text);
  });
}

/** Whether a text is an HTTP answer with all of its body. */
function isWhole(text: string): boolean {
  const [head = '', body] = text.split(/\r\n\r\n(.*)/s);
  const length = /^content-length: *(\d+)/im.exec(head)?.[1];
  return body !== undefined && length !== undefined && Buffer.byteLength(body) >= Number(length);
}

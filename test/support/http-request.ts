import net from 'node:net';

export { sendHttp } from '../../tools/verify/send-http.ts';

/** Writes raw text to a socket. @returns whatever came back until the server closed it, or 300 ms passed in silence */
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
    });
    socket.on('error', done);
    socket.on('close', done);
    socket.setTimeout(300, done);
    socket.write(text);
  });
}

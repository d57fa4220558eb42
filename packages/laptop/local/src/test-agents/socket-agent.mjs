/** An agent with a WebSocket: tells what came with the handshake, then sends every message back, or does what it says. */
import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';

const server = createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(request.url === '/ping' ? { status: 'Healthy' } : { pid: process.pid }));
});
const sockets = new WebSocketServer({
  server,
  path: '/ws',
  handleProtocols: (offered) => [...offered].find((protocol) => protocol === 'echo.v2') ?? false,
});
sockets.on('connection', (socket, { url, headers }) => {
  socket.send(JSON.stringify({ pid: process.pid, url, headers }));
  socket.on('message', (data, isBinary) => {
    const [, action, argument] = isBinary
      ? []
      : (/^(close|send|burst) (.*)$/.exec(Buffer.from(/** @type {Buffer} */ (data)).toString()) ?? []);
    if (action === 'close') socket.close(Number(argument), 'as you wish');
    else if (action === 'send') socket.send(Buffer.alloc(Number(argument)));
    else if (action === 'burst') for (let at = 0; at < Number(argument); at += 1) socket.send(String(at));
    else socket.send(data, { binary: isBinary });
  });
});
server.listen(Number(process.env.PORT), process.env.ART_HOST);

import { AgentCoreRLApp } from '@art/server';

/** An agent whose socket says which session it serves, and then sends every message back. */
const app = new AgentCoreRLApp({
  websocketHandler: (socket, { sessionId }) => {
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
    socket.send(JSON.stringify({ sessionId }));
  },
});
await app.run();

import type { SessionSocket } from '../../runtime/session-socket.ts';
import { ReachLink, type ReachLinkDeps } from './reach-link.ts';

const goingAway = 1001;

/** A link over the WebSocket of a session, from now on. */
export function openLink(socket: SessionSocket, deps: Omit<ReachLinkDeps, 'socket'>): ReachLink {
  const link = new ReachLink({
    ...deps,
    socket: {
      send: (message) => socket.send(message),
      close: () => socket.close(goingAway),
      terminate: () => socket.terminate(),
    },
  });
  socket.on('message', (message) => link.receive(message));
  socket.on('close', (code) => link.lost(`it was closed with ${code}`));
  // The close comes after it, and without a listener an error ends the process.
  socket.on('error', (error) => link.lost(error.message));
  return link;
}

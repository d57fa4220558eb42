/** Where the doctor's models and S3 listen, and by which name an agent calls them. */
export interface AgentPlace {
  listenAt: '127.0.0.1' | '0.0.0.0';
  calledAt: string;
}

export const onThisMachine: AgentPlace = { listenAt: '127.0.0.1', calledAt: '127.0.0.1' };

/** A container has its own loopback; Docker, podman and finch give this name to the machine around it. */
export const aroundContainer: AgentPlace = { listenAt: '0.0.0.0', calledAt: 'host.docker.internal' };

/** A URL on loopback as an agent of this place has to write it. */
export function calledAt(place: AgentPlace, url: string): string {
  return url.replace('127.0.0.1', place.calledAt);
}

import type { EndpointLog } from '../service/endpoint-log.ts';
import type { Session } from '../session/session.ts';
import type { Delivery } from './delivery.ts';
import { forwardRequest } from './forward-request.ts';

/** Passes the same request on again and again, at once; nobody hears the answers. */
export function deliverCopies(
  copies: number,
  session: Session,
  delivery: Delivery,
  log: EndpointLog,
  event: { agent: string; sessionId: string; invocationId: string | undefined },
): void {
  for (let copy = 0; copy < copies; copy += 1) {
    log.add({ kind: 'delivered', ...event, copy: true });
    // Its caller may have left when the first answer was there; a copy goes on until the session ends.
    void deliverCopy(session, { ...delivery, signal: session.ending }).then((isAccepted) => {
      if (isAccepted) log.add({ kind: 'accepted', ...event, copy: true });
    });
  }
}

async function deliverCopy(session: Session, delivery: Delivery): Promise<boolean> {
  const endRequest = session.beginRequest();
  try {
    const { port } = await session.whenReady();
    const outcome = await forwardRequest({ ...delivery, port });
    if (outcome.kind !== 'answered') return false;
    outcome.response.resume();
    const httpStatus = outcome.response.statusCode ?? 0;
    return httpStatus >= 200 && httpStatus < 300;
  } catch {
    return false;
  } finally {
    endRequest();
  }
}

import type { FastifyReply } from 'fastify';
import { pause } from '../pause.ts';
import type { FaultMoment } from './fault.ts';
import { injectedServiceFault } from './injected-service-fault.ts';
import type { StruckFault } from './struck-fault.ts';

/**
 * Lets the faults of a connection happen on one side of a data-plane request.
 * @returns whether the request ends here without an answer
 * @throws ServiceFault where it ends with an error
 */
export async function withholdAnswer(
  struck: StruckFault | undefined,
  moment: FaultMoment,
  reply: FastifyReply,
  hangUp: AbortSignal,
): Promise<boolean> {
  if (struck === undefined || struck.moment !== moment) return false;
  const { fault } = struck;
  switch (fault.kind) {
    case 'drop':
      struck.settle('done');
      reply.hijack();
      return true;
    case 'reset':
      struck.settle('done');
      reply.hijack();
      reply.raw.socket?.resetAndDestroy();
      return true;
    case 'error':
      struck.settle('done');
      throw injectedServiceFault(fault);
    case 'delay':
      struck.settle('done');
      await pause(struck.durationMs, AbortSignal.any([hangUp, struck.signal]));
      return false;
    default:
      return false;
  }
}

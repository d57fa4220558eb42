import { pause } from '@art/ground';
import type { FaultySession, RequestFault } from '../../session/runtime-faults.ts';
import type { FaultMoment } from '../plan/fault.ts';
import { injectedServiceFault } from '../plan/injected-service-fault.ts';
import type { StruckFault } from '../strike/injected-fault.ts';
import { interrupt } from '../strike/interrupt.ts';

/** The fault that a request of the data plane meets. */
export function requestFault(struck: StruckFault): RequestFault {
  const interruptAt = async (moment: FaultMoment, hangUp: AbortSignal): Promise<void> => {
    if (struck.moment !== moment || struck.fault.kind === 'kill') return;
    await interrupt(struck, hangUp, injectedServiceFault);
  };
  return {
    before: (hangUp) => interruptAt('before', hangUp),
    onDelivery: (session) => {
      if (struck.fault.kind === 'kill' && struck.moment === 'before') kill(struck, session);
      if (struck.fault.kind !== 'duplicate') return 0;
      struck.settle('done');
      return struck.fault.copies ?? 1;
    },
    after: async (hangUp, session) => {
      const isKill = struck.fault.kind === 'kill' && struck.moment === 'after';
      if (isKill && session !== undefined) kill(struck, session);
      await interruptAt('after', hangUp);
    },
    missed: () => struck.settle('missed'),
  };
}

/** Kills the session of a request: at once before it is passed on, or a while after the agent accepted it. */
function kill(struck: StruckFault, session: FaultySession): void {
  const strike = (): void => struck.settle(session.kill() ? 'done' : 'missed');
  if (struck.moment === 'before' || struck.durationMs === 0) {
    strike();
    return;
  }
  // A session that is ending still flushes: it can be killed until nothing of it is left.
  const gone = new AbortController();
  void session.gone.then(() => gone.abort());
  pause(struck.durationMs, { signal: AbortSignal.any([gone.signal, struck.signal]) }).then(strike, () =>
    struck.settle('missed'),
  );
}

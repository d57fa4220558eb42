import type { CallsInFlight } from '../sessions/calls-in-flight.ts';
import type { SessionDirectory } from '../sessions/session-directory.ts';
import type { TraceStore } from '../store/trace-store.ts';
import { TrajectorySessions } from '../trajectories/trajectory-sessions.ts';

/** What the trajectories of a gateway work with. */
export interface TrajectoryParts {
  store: TraceStore;
  directory: SessionDirectory;
  inFlight: CallsInFlight;
}

/** The trajectories of a gateway, over the same sessions and the same store as everything else. */
export function openTrajectories({ store, directory, inFlight }: TrajectoryParts): TrajectorySessions {
  return new TrajectorySessions({
    calls: inFlight,
    store: {
      createSession: (init) => directory.create(init),
      session: (sessionId) => store.session(sessionId),
      tracesOf: (sessionId) => store.tracesOf(sessionId),
      async noteFinish(sessionId, metadata) {
        // The directory knows of a deletion before the store is asked for it, so this never comes behind one.
        if (!directory.isDeleted(sessionId)) await store.createSession({ sessionId, metadata });
      },
      finishSession: (sessionId) => store.finishSession(sessionId),
      deleteSession: (sessionId) => directory.delete([sessionId]),
    },
  });
}

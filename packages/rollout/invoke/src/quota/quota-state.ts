/**
 * Room of the account for another session.
 *
 * AgentCore answers 402 "maxVms limit exceeded" when every session of the quota is alive. From then on one new session
 * is let in for each session that ends, which keeps the quota full without a refusal per session. Sessions of others
 * end unseen, so now and then one is tried regardless; when that one is accepted there is room.
 */
export type QuotaState =
  | { kind: 'open' }
  | {
      kind: 'paused';
      sinceMs: number;
      /** Sessions that ended and whose place is not taken yet. */
      places: number;
      probe: { kind: 'waiting'; atMs: number } | { kind: 'sent' };
      /** Wait before the next probe. */
      probeDelayMs: number;
    };

/** On what grounds a session was let in. */
export type QuotaAdmission = 'open' | 'place' | 'probe';

/** Events of the quota; times are monotonic milliseconds. */
export type QuotaChange =
  | { kind: 'admitted'; admission: QuotaAdmission }
  | { kind: 'accepted'; admission: QuotaAdmission }
  | { kind: 'refused'; admission: QuotaAdmission; sessionId: string }
  /** The request did not get as far as the quota. */
  | { kind: 'undecided'; admission: QuotaAdmission }
  | { kind: 'session_ended' };

export const firstProbeDelayMs = 1_000;
export const longestProbeDelayMs = 30_000;

/** On what grounds a session may be let in now, if at all. */
export function admissionNow(state: QuotaState, nowMs: number): QuotaAdmission | undefined {
  if (state.kind === 'open') return 'open';
  if (state.places > 0) return 'place';
  return state.probe.kind === 'waiting' && state.probe.atMs <= nowMs ? 'probe' : undefined;
}

/** When a session may be let in if nothing changes before; `Infinity` while that hangs on an answer. */
export function admissionDueMs(state: QuotaState, nowMs: number): number {
  if (state.kind === 'open' || state.places > 0) return nowMs;
  return state.probe.kind === 'waiting' ? Math.max(nowMs, state.probe.atMs) : Infinity;
}

/** The only place where the state changes. */
export function nextQuotaState(state: QuotaState, change: QuotaChange, nowMs: number): QuotaState {
  if (state.kind === 'open') {
    if (change.kind !== 'refused') return state;
    return {
      kind: 'paused',
      sinceMs: nowMs,
      places: 0,
      probeDelayMs: firstProbeDelayMs,
      probe: { kind: 'waiting', atMs: nowMs + firstProbeDelayMs },
    };
  }
  if (change.kind === 'session_ended') return { ...state, places: state.places + 1 };
  switch (change.admission) {
    // Let in before the pause: says nothing about room now.
    case 'open':
      return state;
    case 'place':
      if (change.kind === 'admitted') return { ...state, places: state.places - 1 };
      if (change.kind === 'undecided') return { ...state, places: state.places + 1 };
      if (change.kind === 'accepted') return state;
      // A stopped session may count for some seconds until its machine is gone, so look again soon.
      return state.probe.kind === 'sent' ? state : probeAfter(state, firstProbeDelayMs, nowMs);
    case 'probe':
      if (change.kind === 'admitted') return { ...state, probe: { kind: 'sent' } };
      if (change.kind === 'accepted') return { kind: 'open' };
      if (change.kind === 'undecided') return probeAfter(state, state.probeDelayMs, nowMs);
      return probeAfter(state, Math.min(state.probeDelayMs * 2, longestProbeDelayMs), nowMs);
  }
}

function probeAfter(
  state: Extract<QuotaState, { kind: 'paused' }>,
  probeDelayMs: number,
  nowMs: number,
): QuotaState {
  return { ...state, probeDelayMs, probe: { kind: 'waiting', atMs: nowMs + probeDelayMs } };
}

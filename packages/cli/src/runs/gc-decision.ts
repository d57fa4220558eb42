import type { RunSummary } from '@art/journal';
import type { GcOptions } from '../commands/gc-command.ts';

/** What `art gc` does with a run. `keep` has a reason where a user may wonder. */
export type GcDecision = { kind: 'remove' } | { kind: 'keep'; why: string | undefined };

/** A run with a session that may live is never removed: its journal is all that knows of the session. */
export function decideRun(
  run: Pick<RunSummary, 'runId' | 'isFinished' | 'openSessions' | 'heldBy' | 'lastAtMs'>,
  { olderThan, unfinished }: Pick<GcOptions, 'olderThan' | 'unfinished'>,
  nowMs: number,
): GcDecision {
  const { runId, openSessions, heldBy } = run;
  if (heldBy !== undefined && heldBy.state !== 'dead')
    return keep(`is held by process ${heldBy.holder.pid} on ${heldBy.holder.host}`);
  if (nowMs - run.lastAtMs < olderThan) return keep(undefined);
  if (openSessions > 0)
    return keep(
      `has ${openSessions} ${openSessions === 1 ? 'session' : 'sessions'} that may live; "art stop ${runId}" ends them`,
    );
  if (run.isFinished || unfinished) return { kind: 'remove' };
  return keep(`is not finished; "art resume ${runId}" goes on, --unfinished removes it`);
}

function keep(why: string | undefined): GcDecision {
  return { kind: 'keep', why };
}

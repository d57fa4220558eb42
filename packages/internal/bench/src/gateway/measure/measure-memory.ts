import { setTimeout as delay } from 'node:timers/promises';
import { conversationTokens, conversationTurns } from '../engine/conversation.ts';
import type { LoadGenerator } from '../load/start-load-generator.ts';
import { processUsage } from '../subjects/process-usage.ts';
import { startSubject, type SubjectParts } from '../subjects/start-subject.ts';
import { deleteSessions } from './gateway-control.ts';
import { measureLoad, type MeasuredLoad } from './measured-load.ts';

/** Memory of conversations in a gateway that holds all of them. */
export interface MemoryRun {
  /** Flags that Node was started with. */
  nodeFlags: readonly string[];
  sessions: number;
  turns: number;
  /** At the end of each session. */
  tokens: number;
  startRssBytes: number;
  /** Growth of the process, a moment after the last call. */
  growthBytes: number;
  /** The same after these sessions were deleted and as many others came: no more than that, where nothing is left behind. */
  growthAgainBytes: number;
  cpuMsPerCall: number | undefined;
}

const concurrency = 16;

export interface MemoryPlan {
  sessions: number;
  /** Garbage of the last calls is not what sessions take; an idle process gives it back after some seconds. */
  settleMs: number;
}

/** Lets its own gateway hold conversations that grow turn by turn; each token was sampled or given, none repeated. */
export async function measureMemory(
  { sessions, settleMs }: MemoryPlan,
  nodeFlags: readonly string[],
  parts: SubjectParts & { load: LoadGenerator },
): Promise<MemoryRun> {
  await using subject = await startSubject('art', { ...parts, nodeFlags });
  const pid = subject.pid!;
  // Code that is loaded and compiled at the first calls is no session either.
  await measureLoad(parts.load, subject, { kind: 'conversations', conversations: concurrency, concurrency });
  await delay(settleMs);
  const { rssBytes } = processUsage(pid);
  const plan = { kind: 'conversations', conversations: sessions, concurrency } as const;
  const grow = async (): Promise<{ load: MeasuredLoad; bytes: number }> => {
    const measured = await measureLoad(parts.load, subject, plan, true);
    await delay(settleMs);
    return { load: measured, bytes: processUsage(pid).rssBytes - rssBytes };
  };
  const first = await grow();
  await deleteSessions(subject.url, first.load.sessionPrefix!, sessions);
  const again = await grow();
  const { cpuMs, completed } = first.load;
  return {
    nodeFlags,
    sessions,
    turns: conversationTurns,
    tokens: conversationTokens,
    startRssBytes: rssBytes,
    growthBytes: first.bytes,
    growthAgainBytes: again.bytes,
    cpuMsPerCall: cpuMs && cpuMs / (completed * conversationTurns),
  };
}

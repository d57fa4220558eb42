import { describe, expect, it } from 'vitest';
import type { Trace } from '@art/trajectories';
import { MemoryTraceStore } from '../memory-trace-store.ts';
import type { PromptMessages, SessionInit, StoredSession, TraceRange, TurnBefore } from '../trace-store.ts';
import { sampleTrace } from '@art/trajectories/testing';
import { traceStoreChecks } from './trace-store-checks.ts';

/** Stores with one fault each, and the check that must find it: a suite that passes everything proves nothing. */
const faults: { fault: string; foundBy: string; Store: typeof MemoryTraceStore }[] = [
  {
    fault: 'rounds logprobs to float32',
    foundBy: 'append.logprobs',
    Store: class extends MemoryTraceStore {
      override async tracesOf(sessionId: string, range?: TraceRange): Promise<Trace[]> {
        const traces = await super.tracesOf(sessionId, range);
        return traces.map((trace) =>
          Object.assign(trace, { logprobs: trace.logprobs?.map((value) => Math.fround(value)) }),
        );
      }
    },
  },
  {
    fault: 'forgets the experts',
    foundBy: 'append.exact',
    Store: class extends MemoryTraceStore {
      override async trace(traceId: string): Promise<Trace | undefined> {
        const trace = await super.trace(traceId);
        return trace && { ...trace, routedExperts: undefined };
      }
    },
  },
  {
    fault: 'continues from turns of another scope',
    foundBy: 'append.turn-before',
    Store: class extends MemoryTraceStore {
      override turnBefore(sessionId: string, prompt: PromptMessages): Promise<TurnBefore | undefined> {
        return super.turnBefore(sessionId, { ...prompt, scope: 'scope' });
      }
    },
  },
  {
    fault: 'resolves before it has stored',
    foundBy: 'append.visible',
    Store: class extends MemoryTraceStore {
      override async append(traces: readonly Trace[]): Promise<void> {
        queueMicrotask(() => setImmediate(() => void super.append(traces).catch(() => undefined)));
      }
    },
  },
  {
    fault: 'stores the good ones of traces that it refuses',
    foundBy: 'append.all-or-none',
    Store: class extends MemoryTraceStore {
      override async append(traces: readonly Trace[]): Promise<void> {
        for (const trace of traces) await super.append([trace]);
      }
    },
  },
  {
    fault: 'lets a late trace bring a deleted session back',
    foundBy: 'delete.late',
    Store: class extends MemoryTraceStore {
      override async append(traces: readonly Trace[]): Promise<void> {
        for (const { sessionId } of traces) {
          if ((await super.session(sessionId)) === undefined) await super.createSession({ sessionId });
        }
        await super.append(traces);
      }
    },
  },
  {
    fault: 'takes late traces for those of the session that was created again',
    foundBy: 'delete.revive',
    Store: class extends MemoryTraceStore {
      override async append(traces: readonly Trace[]): Promise<void> {
        await super.append(traces.map((trace) => ({ ...trace, timestampMs: 9e12 })));
      }
    },
  },
  {
    fault: 'replaces metadata by nothing',
    foundBy: 'session.create',
    Store: class extends MemoryTraceStore {
      override async createSession(init: SessionInit): Promise<StoredSession> {
        return { ...(await super.createSession(init)), metadata: init.metadata ?? {} };
      }
    },
  },
  {
    fault: 'lists the oldest session first',
    foundBy: 'session.list',
    Store: class extends MemoryTraceStore {
      override async sessions(range?: TraceRange): Promise<StoredSession[]> {
        return (await super.sessions(range)).toReversed();
      }
    },
  },
  {
    fault: 'evicts what is in use',
    foundBy: 'bound.full',
    Store: class extends MemoryTraceStore {
      override async append(traces: readonly Trace[]): Promise<void> {
        for (const { sessionId } of await super.sessions()) await super.finishSession(sessionId);
        await super.append(traces);
      }
    },
  },
];

describe('traceStoreChecks', () => {
  it.each(faults)('find a store that $fault', async ({ foundBy, Store }) => {
    const check = traceStoreChecks.find(({ id }) => id === foundBy);
    await expect(check?.run({ open: async (options) => new Store(options) })).rejects.toBeInstanceOf(Error);
    await expect(
      check?.run({ open: async (options) => new MemoryTraceStore(options) }),
    ).resolves.toBeUndefined();
  });

  it('work on samples that differ where they are told to', () => {
    expect(sampleTrace({ traceId: 'a', sessionId: 's' })).not.toEqual(
      sampleTrace({ traceId: 'b', sessionId: 's' }),
    );
  });
});

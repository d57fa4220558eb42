import { describe, expect, it } from 'vitest';
import type { Capture } from '@art/trajectories';
import { MemoryCaptureStore } from '../memory-capture-store.ts';
import type {
  PromptMessages,
  SessionInit,
  StoredSession,
  CaptureRange,
  TurnBefore,
} from '../capture-store.ts';
import { sampleCapture } from '@art/trajectories/testing';
import { captureStoreChecks } from './capture-store-checks.ts';

/** Stores with one fault each, and the check that must find it: a suite that passes everything proves nothing. */
const faults: { fault: string; foundBy: string; Store: typeof MemoryCaptureStore }[] = [
  {
    fault: 'rounds logprobs to float32',
    foundBy: 'append.logprobs',
    Store: class extends MemoryCaptureStore {
      override async capturesOf(sessionId: string, range?: CaptureRange): Promise<Capture[]> {
        const captures = await super.capturesOf(sessionId, range);
        return captures.map((capture) =>
          Object.assign(capture, { logprobs: capture.logprobs?.map((value) => Math.fround(value)) }),
        );
      }
    },
  },
  {
    fault: 'forgets the experts',
    foundBy: 'append.exact',
    Store: class extends MemoryCaptureStore {
      override async capture(captureId: string): Promise<Capture | undefined> {
        const capture = await super.capture(captureId);
        return capture && { ...capture, routedExperts: undefined };
      }
    },
  },
  {
    fault: 'continues from turns of another scope',
    foundBy: 'append.turn-before',
    Store: class extends MemoryCaptureStore {
      override turnBefore(sessionId: string, prompt: PromptMessages): Promise<TurnBefore | undefined> {
        return super.turnBefore(sessionId, { ...prompt, scope: 'scope' });
      }
    },
  },
  {
    fault: 'resolves before it has stored',
    foundBy: 'append.visible',
    Store: class extends MemoryCaptureStore {
      override async append(captures: readonly Capture[]): Promise<void> {
        queueMicrotask(() => setImmediate(() => void super.append(captures).catch(() => undefined)));
      }
    },
  },
  {
    fault: 'stores the good ones of captures that it refuses',
    foundBy: 'append.all-or-none',
    Store: class extends MemoryCaptureStore {
      override async append(captures: readonly Capture[]): Promise<void> {
        for (const capture of captures) await super.append([capture]);
      }
    },
  },
  {
    fault: 'lets a late capture bring a deleted session back',
    foundBy: 'delete.late',
    Store: class extends MemoryCaptureStore {
      override async append(captures: readonly Capture[]): Promise<void> {
        for (const { sessionId } of captures) {
          if ((await super.session(sessionId)) === undefined) await super.createSession({ sessionId });
        }
        await super.append(captures);
      }
    },
  },
  {
    fault: 'takes late captures for those of the session that was created again',
    foundBy: 'delete.revive',
    Store: class extends MemoryCaptureStore {
      override async append(captures: readonly Capture[]): Promise<void> {
        await super.append(captures.map((capture) => ({ ...capture, timestampMs: 9e12 })));
      }
    },
  },
  {
    fault: 'replaces metadata by nothing',
    foundBy: 'session.create',
    Store: class extends MemoryCaptureStore {
      override async createSession(init: SessionInit): Promise<StoredSession> {
        return { ...(await super.createSession(init)), metadata: init.metadata ?? {} };
      }
    },
  },
  {
    fault: 'lists the oldest session first',
    foundBy: 'session.list',
    Store: class extends MemoryCaptureStore {
      override async sessions(range?: CaptureRange): Promise<StoredSession[]> {
        return (await super.sessions(range)).toReversed();
      }
    },
  },
  {
    fault: 'evicts what is in use',
    foundBy: 'bound.full',
    Store: class extends MemoryCaptureStore {
      override async append(captures: readonly Capture[]): Promise<void> {
        for (const { sessionId } of await super.sessions()) await super.finishSession(sessionId);
        await super.append(captures);
      }
    },
  },
];

describe('captureStoreChecks', () => {
  it.each(faults)('find a store that $fault', async ({ foundBy, Store }) => {
    const check = captureStoreChecks.find(({ id }) => id === foundBy);
    await expect(check?.run({ open: async (options) => new Store(options) })).rejects.toBeInstanceOf(Error);
    await expect(
      check?.run({ open: async (options) => new MemoryCaptureStore(options) }),
    ).resolves.toBeUndefined();
  });

  it('work on samples that differ where they are told to', () => {
    expect(sampleCapture({ captureId: 'a', sessionId: 's' })).not.toEqual(
      sampleCapture({ captureId: 'b', sessionId: 's' }),
    );
  });
});

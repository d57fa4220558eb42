import type { InjectedFault } from '@art/local/faults';
import type { EndpointLogEntry } from '@art/local';
import { describe, expect, it } from 'vitest';
import { checkInvariants } from './check-invariants.ts';
import type { ClientLine, YieldedLine } from './client-line.ts';
import { handlerProof } from './handler-run.ts';
import type { RoundEvidence } from './round-evidence.ts';

const secret = 'secret';
const sessionId = 'session-1';
const resultKey = `chaos/i/${sessionId}.json`;
const run = { round: 0, n: 0, attemptId: 'a1', sessionId, pid: 1, atMs: 5 };
const yielded: YieldedLine = {
  life: 1,
  atMs: 10,
  event: 'yielded',
  n: 0,
  outcome: 'ok',
  attempt: 0,
  sessionId,
  resultKey,
  attemptId: 'a1',
  proof: handlerProof(secret, run),
};
const acknowledged: ClientLine = { life: 1, atMs: 11, event: 'acknowledged', n: 0 };
const locked = (life: number): ClientLine => ({ life, atMs: 3, event: 'ended', how: 'locked' });
const delivered: EndpointLogEntry = {
  seq: 1,
  atMs: 4,
  kind: 'delivered',
  agent: 'chaos',
  sessionId,
  invocationId: 'a1',
};
const stored: EndpointLogEntry = {
  seq: 2,
  atMs: 6,
  kind: 's3_write',
  bucket: 'results',
  key: resultKey,
  sessionId,
  ifAbsent: true,
  outcome: 'stored',
};

const good: RoundEvidence = {
  payloads: [{ round: 0, n: 0, do: 'work', ms: 1 }],
  lines: [yielded, acknowledged],
  handlerRuns: [run],
  log: [delivered, stored],
  faults: [],
  logHasGaps: false,
  twins: [],
  finalLife: 9,
  leftSessions: [],
  secret,
};

const found = (change: Partial<RoundEvidence>): string[] =>
  checkInvariants({ ...good, ...change }).map(({ invariant }) => invariant);

describe('a round in which all is well', () => {
  it('has no violation', () => expect(found({})).toEqual([]));

  it('may yield again what nobody acknowledged', () =>
    expect(found({ lines: [yielded, { ...yielded, life: 2 }, { ...acknowledged, life: 2 }] })).toEqual([]));

  it('may store again what the store forgot', () => {
    const fault: InjectedFault = {
      seq: 1,
      atMs: 7,
      rule: 'r',
      ruleIndex: 0,
      match: 1,
      kind: 'forget',
      operation: 's3_put',
      key: resultKey,
      outcome: 'done',
    };
    expect(found({ log: [delivered, stored, stored], faults: [fault] })).toEqual([]);
  });

  it('may miss in the log what a killed runtime did not tell', () =>
    expect(found({ log: [], logHasGaps: true })).toEqual([]));
});

describe('a violation', () => {
  it.each<[string, Partial<RoundEvidence>, string[]]>([
    ['a payload without an outcome', { lines: [] }, ['lost']],
    [
      'an item that comes back after its acknowledgement',
      { lines: [yielded, acknowledged, { ...yielded, life: 2 }] },
      ['doubled'],
    ],
    ['an item that comes twice in one life', { lines: [yielded, yielded] }, ['doubled']],
    ['an item of a run that was complete', { lines: [{ ...yielded, life: 9 }] }, ['doubled']],
    ['two runs of one attempt', { handlerRuns: [run, { ...run, pid: 2 }] }, ['ran_twice']],
    ['a run that nobody asked for', { log: [stored] }, ['forged']],
    ['a document that the agent did not write', { lines: [{ ...yielded, proof: 'x' }] }, ['forged']],
    [
      'a document of another payload',
      { lines: [{ ...yielded, proof: handlerProof(secret, { ...run, n: 1 }) }] },
      ['forged'],
    ],
    ['a document of an attempt that never ran', { handlerRuns: [] }, ['forged']],
    ['a document that was never stored', { log: [delivered] }, ['forged']],
    ['a document over another', { log: [delivered, stored, stored] }, ['doubled']],
    [
      'a machine that counts as a failure of the agent',
      { lines: [{ ...yielded, outcome: 'agent_error' }] },
      ['wrong_outcome'],
    ],
    [
      'a failure of the agent that counts as a success',
      { payloads: [{ round: 0, n: 0, do: 'fail', ms: 1 }] },
      ['wrong_outcome'],
    ],
    ['a session that lives on', { leftSessions: [sessionId] }, ['orphan']],
    [
      'two lives that are both turned away',
      { twins: [[3, 4]], lines: [yielded, locked(3), locked(4)] },
      ['refused'],
    ],
    [
      'a life that cannot go on',
      { lines: [yielded, { life: 2, atMs: 1, event: 'ended', how: 'failed', code: 'ART_JOURNAL_CORRUPT' }] },
      ['refused'],
    ],
    ['a last life that is turned away', { lines: [yielded, locked(9)] }, ['refused']],
  ])('is %s', (_name, change, expected) => expect(found(change)).toEqual(expected));

  it('is two lives that work at the same time', () => {
    const payloads = [0, 1, 2].map((n) => ({ round: 0, n, do: 'fail', ms: 1 }) as const);
    const line = (n: number, life: number, atMs: number): ClientLine => ({
      ...yielded,
      n,
      life,
      atMs,
      outcome: 'agent_error',
    });
    const overlapping = [line(0, 3, 10), line(1, 4, 11), line(2, 3, 12)];
    expect(found({ payloads, lines: overlapping, twins: [[3, 4]] })).toEqual(['two_holders']);
    const inTurn = [line(0, 3, 10), line(1, 3, 11), line(2, 4, 12)];
    expect(found({ payloads, lines: inTurn, twins: [[3, 4]] })).toEqual([]);
  });
});

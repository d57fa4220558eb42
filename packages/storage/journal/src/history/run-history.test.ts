import { describe, expect, it } from 'vitest';
import type { JournalRecord, RunHeader } from '../records/journal-record.ts';
import { decodeRecord, encodeRecord } from '../records/record-codec.ts';
import { readLines } from '../records/read-lines.ts';
import { RunHistory } from './run-history.ts';

const run: RunHeader = {
  type: 'run',
  version: 2,
  runId: 'r',
  kind: 'batch',
  expId: 'e',
  bucket: 'b',
  inputIdPrefix: 'p',
  createdAtMs: 1,
  options: { maxConcurrentSessions: 4 },
  callbacks: ['inputId'],
};
const intended = (rollout: number, index = rollout, attempt = 0): JournalRecord => ({
  type: 'intended',
  rollout,
  item: String(index),
  index,
  attempt,
  inputId: `p-${index}`,
  sessionId: `session-${rollout}`.padEnd(36, '0'),
  invocationId: `invocation-${rollout}`,
  bucket: 'b',
  resultKey: `e/p-${index}/session-${rollout}.json`,
  payloadDigest: 'digest-of-payload',
  atMs: 10 + rollout,
});
const done = (rollout: number, index = rollout): JournalRecord[] => [
  { type: 'accepted', rollout, atMs: 1_000, speaksRip: true },
  { type: 'settled', rollout, atMs: 1_001, outcome: 'ok', reward: 0.5 },
  { type: 'stopped', rollout, atMs: 1_002, result: 'stopped' },
  { type: 'acknowledged', item: String(index), atMs: 1_003 },
];

async function* portions(records: Iterable<JournalRecord>): AsyncGenerator<string[]> {
  let lines: string[] = [];
  for (const record of records) {
    lines.push(encodeRecord(record));
    if (lines.length < 1_000) continue;
    yield lines;
    lines = [];
  }
  yield lines;
}
const read = (...records: JournalRecord[]): Promise<RunHistory> =>
  RunHistory.read(portions([run, ...records]));

describe('RunHistory', () => {
  it('keeps what is open in full, and of the rest that it is done', async () => {
    const history = await read(
      intended(0),
      intended(1),
      ...done(0),
      { type: 'settled', rollout: 1, atMs: 5, outcome: 'lost', errorCode: 'ART_ROLLOUT_LOST' },
      { type: 'stopped', rollout: 1, atMs: 6, result: 'failed' },
      intended(2, 1, 1),
    );
    expect(history.isAcknowledged('0')).toBe(true);
    expect(history.rolloutsOf('0')).toEqual([]);
    expect(history.rolloutsOf('1').map(({ rollout, state }) => [rollout, state.phase])).toEqual([
      [1, 'settled'],
      [2, 'intended'],
    ]);
    expect(history.openSessions().map(({ rollout, isSettled }) => [rollout, isSettled])).toEqual([
      [1, true],
      [2, false],
    ]);
    expect(history).toMatchObject({
      nextRollout: 3,
      reachedEnd: 2,
      knownCount: 2,
      acknowledgedCount: 1,
      isFinished: false,
      agentSpeaksRip: true,
      itemCount: undefined,
    });
    expect(history.counts).toEqual({ intended: 3, accepted: 1, settled: { ok: 1, lost: 1 } });
    expect(history.digestOf('0')).toBe('digest-of-payload');
  });

  it('remembers sessions that outlived the acknowledgement of their items', async () => {
    const history = await read(
      intended(0),
      { type: 'settled', rollout: 0, atMs: 5, outcome: 'ok' },
      { type: 'acknowledged', item: '0', atMs: 6 },
      intended(1),
      {
        type: 'settled',
        rollout: 1,
        atMs: 5,
        outcome: 'throttled',
        errorCode: 'ART_RUNTIME_THROTTLED',
        sessionless: true,
      },
    );
    expect(history.openSessions().map(({ rollout }) => rollout)).toEqual([0]);
  });

  it('is not finished any more once further items are begun', async () => {
    expect((await read(...done(0), { type: 'finished', atMs: 1 })).isFinished).toBe(true);
    expect((await read({ type: 'finished', atMs: 1 }, intended(1))).isFinished).toBe(false);
  });

  it('trusts agents to tell repeats apart only where all of them do', async () => {
    const accepted = (rollout: number, speaksRip: boolean): JournalRecord => ({
      type: 'accepted',
      rollout,
      atMs: 1,
      speaksRip,
    });
    expect((await read(intended(0))).agentSpeaksRip).toBeUndefined();
    expect((await read(accepted(0, true), accepted(1, true))).agentSpeaksRip).toBe(true);
    expect((await read(accepted(0, false), accepted(1, true))).agentSpeaksRip).toBe(false);
  });

  it('reads a long run with 90 % done', async () => {
    const items = 2_200;
    function* records(): Generator<JournalRecord> {
      yield run;
      for (let rollout = 0; rollout < items; rollout += 1) {
        yield intended(rollout);
        if (rollout < items * 0.9) yield* done(rollout);
        else yield { type: 'accepted', rollout, atMs: 1, speaksRip: true };
      }
    }
    const lines = (await Array.fromAsync(portions(records()))).flat();
    expect(lines.length).toBeGreaterThan(10_000);
    const history = await RunHistory.read(readLines(pieces(`${lines.join('\n')}\n{"type":"int`)));
    expect(history.acknowledgedCount).toBe(items * 0.9);
    expect(history.openSessions()).toHaveLength(items * 0.1);
  });

  it.each<[string, string[], RegExp]>([
    ['no JSON', ['{"type":"finished","at_'], /Line 2 .* not JSON/],
    ['no type', ['[]'], /Line 2 .* no type/],
    ['a wrong field', ['{"type":"acknowledged","item":-1,"at_ms":1}'], /item of "acknowledged" is -1/],
    ['a former format', ['{"type":"run","version":1}'], /version 1, this program reads 2/],
    ['a newer format', [encodeRecord({ ...run, version: 3 as 2 })], /version 3, this program reads 2/],
  ])('refuses a line with %s', async (_, lines, message) => {
    const all = [encodeRecord(run), ...lines];
    await expect(RunHistory.read(readLines(pieces(`${all.join('\n')}\n`)))).rejects.toThrow(
      expect.objectContaining({
        code: 'ART_JOURNAL_CORRUPT',
        message: expect.stringMatching(message) as string,
      }) as Error,
    );
  });

  it('refuses a journal of no run, and passes over records of later versions', async () => {
    await expect(RunHistory.read(portions([]))).rejects.toThrow(/does not/);
    expect(decodeRecord('{"type":"from_the_future"}', 1)).toBeUndefined();
  });
});

describe('record codec', () => {
  it('writes snake case and reads back what it wrote', () => {
    const holder = { host: 'h', machine: 'm', pid: 1, startedAt: 's', sinceMs: 2, claimId: 'c' };
    const records: JournalRecord[] = [
      run,
      { type: 'owner', holder, claim: 3 },
      intended(4),
      ...done(4),
      { type: 'source_ended', count: 1 },
      { type: 'finished', atMs: 1 },
      { type: 'released', atMs: 1 },
    ];
    for (const record of records) {
      const line = encodeRecord(record);
      expect(decodeRecord(line, 1)).toEqual(record);
      expect(line).not.toMatch(/"(?!maxConcurrentSessions)[a-z]+[A-Z][A-Za-z]*":/);
    }
  });
});

async function* pieces(text: string): AsyncGenerator<string> {
  const size = 1 << 20;
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

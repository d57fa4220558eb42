import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { streamWindowBytes } from '../wire/reach-limits.ts';
import { recordType, writeRecord, writeWindow } from '../wire/record.ts';
import { LinkPair } from './link-pair.fixture.ts';
import type { LinkStream } from './link-stream.ts';

const head = Buffer.from('{}');

/** A trainer that answers each call with its own bytes, in pieces, as fast as it may. */
function echo(pair: LinkPair): void {
  pair.onStream = (stream) => {
    const waiting: Buffer[] = [];
    let hasEnded = false;
    const pump = (): void => {
      while (waiting.length > 0 && !stream.isFull) {
        const bytes = waiting.shift()!;
        stream.data(bytes);
        stream.read(bytes.length);
      }
      if (hasEnded && waiting.length === 0) stream.end();
    };
    stream.head(head);
    return {
      onData: (bytes) => {
        waiting.push(bytes);
        pump();
      },
      onEnd: () => {
        hasEnded = true;
        pump();
      },
      onDrain: pump,
      onReset: () => {},
    };
  };
}

interface Call {
  stream: LinkStream;
  got: Buffer[];
  heads: number;
  end: 'none' | 'end' | 'reset' | 'lost';
}

function call(pair: LinkPair, pieces: readonly Buffer[], reads = true): Call {
  const opened: Call = { stream: undefined as never, got: [], heads: 0, end: 'none' };
  opened.stream = pair.agent.open(head, {
    onHead: () => void (opened.heads += 1),
    onData: (bytes) => {
      opened.got.push(bytes);
      if (reads) opened.stream.read(bytes.length);
    },
    onEnd: () => void (opened.end = 'end'),
    onReset: (reason) => void (opened.end = reason === undefined ? 'lost' : 'reset'),
  });
  for (const piece of pieces) opened.stream.data(piece);
  opened.stream.end();
  return opened;
}

/** No side ever breaks a rule that AgentCore, or the other side, holds it to. */
function expectWithinLimits(pair: LinkPair): void {
  for (const side of ['agent', 'trainer'] as const) {
    const { [side]: sent } = pair.sent;
    for (const [index, { atMs, message }] of sent.entries()) {
      expect(message.length).toBeLessThanOrEqual(pair.limits.messageBytes);
      if (index > 0) expect(atMs - sent[index - 1]!.atMs).toBeGreaterThanOrEqual(5);
    }
  }
}

const bodies = fc.array(fc.array(fc.nat(120_000), { maxLength: 4 }), { minLength: 1, maxLength: 12 });

describe('a link', () => {
  it('carries any calls at once byte for byte, however messages are held up, and leaves nothing behind', async () => {
    await fc.assert(
      fc.asyncProperty(bodies, fc.infiniteStream(fc.nat(3)), async (sizes, holdUps) => {
        const pair = new LinkPair();
        echo(pair);
        const sent = sizes.map((lengths, index) =>
          lengths.map((length, piece) => Buffer.alloc(length, 16 * index + piece + 1)),
        );
        const calls = sent.map((pieces) => call(pair, pieces));
        for (let step = 0; step < 30; step += 1) {
          const [agent, trainer] = [holdUps.next().value, holdUps.next().value];
          await pair.step({ agent, trainer });
        }
        await pair.settle();
        for (const [index, { got, heads, end }] of calls.entries()) {
          expect({ heads, end }).toEqual({ heads: 1, end: 'end' });
          expect(Buffer.compare(Buffer.concat(got), Buffer.concat(sent[index]!))).toBe(0);
        }
        expectWithinLimits(pair);
        expect([pair.agent.streams, pair.trainer.streams, pair.ends]).toEqual([0, 0, {}]);
      }),
      { numRuns: 10 },
    );
  });

  it('tells every call that is cut, once, and nobody else', async () => {
    await fc.assert(
      fc.asyncProperty(bodies, fc.nat(20), async (sizes, cutAfter) => {
        const pair = new LinkPair();
        echo(pair);
        const sent = sizes.map((lengths) => lengths.map((length) => Buffer.alloc(length, 1)));
        const calls = sent.map((pieces) => call(pair, pieces));
        for (let step = 0; step < cutAfter; step += 1) await pair.step();
        const before = calls.map(({ end }) => end);
        pair.cut();
        expect(calls.map(({ end }) => end)).toEqual(before.map((end) => (end === 'none' ? 'lost' : end)));
        // What had come before is a beginning of what was sent.
        for (const [index, { got }] of calls.entries())
          expect(Buffer.concat(sent[index]!).subarray(0, Buffer.concat(got).length)).toEqual(
            Buffer.concat(got),
          );
        expect(pair.ends.agent).toMatchObject({ code: 'ART_REACH_LOST' });
        expect(pair.clock.timers).toBe(0);
      }),
      { numRuns: 10 },
    );
  });

  it('a reader that stands still gets one window, and the other calls continue', async () => {
    const pair = new LinkPair();
    echo(pair);
    const large = Buffer.alloc(1_000_000, 7);
    const slow = call(pair, [large], false);
    const others = [call(pair, [large]), call(pair, [Buffer.from('x')])];
    await pair.settle();
    expect(others.map(({ end }) => end)).toEqual(['end', 'end']);
    expect(Buffer.concat(slow.got).length).toBe(streamWindowBytes);
    slow.stream.read(streamWindowBytes);
    await pair.settle();
    expect(Buffer.concat(slow.got).length).toBe(2 * streamWindowBytes);
  });

  it('a small call is not behind a large one', async () => {
    const pair = new LinkPair();
    echo(pair);
    const large = call(pair, [Buffer.alloc(200_000)]);
    await pair.step();
    const small = call(pair, [Buffer.from('x')]);
    for (let step = 0; step < 6 && small.end === 'none'; step += 1) await pair.step();
    expect([small.end, large.end]).toEqual(['end', 'none']);
  });

  it('one that is broken off is told to the other side, and nothing of it comes later', async () => {
    const pair = new LinkPair();
    const reasons: unknown[] = [];
    pair.onStream = () => ({
      onData: () => {},
      onEnd: () => {},
      onReset: (reason) => void reasons.push(reason),
    });
    const { stream } = call(pair, [Buffer.alloc(100_000)]);
    await pair.step();
    stream.reset('the agent has gone');
    await pair.settle();
    expect(reasons).toEqual(['the agent has gone']);
    expect([pair.agent.streams, pair.trainer.streams, pair.ends]).toEqual([0, 0, {}]);
  });

  it('has no more than forty messages on their way, so that a network that stood still brings no flood', async () => {
    const pair = new LinkPair();
    for (let index = 0; index < 30; index += 1) call(pair, [Buffer.alloc(100_000)]);
    for (let step = 0; step < 100; step += 1) await pair.step({ agent: 0, trainer: 0 });
    expect(pair.sent.agent).toHaveLength(40);
    await pair.settle();
    expect(pair.ends).toEqual({});
  });

  it('pings while it is idle, and is lost when nothing comes back', async () => {
    const pair = new LinkPair();
    for (let ms = 0; ms < 120_000; ms += 1_000) {
      await pair.step();
      pair.clock.advance(995);
    }
    expect(pair.ends).toEqual({});
    expect(pair.records('agent').filter(({ type }) => type === recordType.ping).length).toBeGreaterThan(2);
    for (let ms = 0; ms < 120_000; ms += 1_000) {
      await pair.step({ agent: 0, trainer: 0 });
      pair.clock.advance(995);
    }
    expect(pair.ends).toMatchObject({
      agent: { code: 'ART_REACH_LOST' },
      trainer: { code: 'ART_REACH_LOST' },
    });
  });

  it('gets what its pings carried back, in their order, as far as it fits into a message', async () => {
    const pair = new LinkPair();
    const pongs: Buffer[] = [];
    const room = pair.limits.messageBytes - 22;
    for (const payload of [Buffer.from('one'), undefined, Buffer.alloc(65_536, 'x')])
      pair.trainer.ping(payload, (pong) => pongs.push(Buffer.from(pong)));
    await pair.settle();
    expect(pongs.map((pong) => pong.toString())).toEqual(['one', '', 'x'.repeat(room)]);
    expectWithinLimits(pair);
  });

  it.each<[string, (pair: LinkPair) => Buffer]>([
    ['half a record', () => Buffer.from([1, 2, 3])],
    [
      'a record longer than its message',
      () => writeRecord(recordType.data, 1, Buffer.alloc(9)).subarray(0, 12),
    ],
    ['an unknown record', () => writeRecord(99 as never, 1)],
    ['a stream that was opened before', () => writeRecord(recordType.open, 0, head)],
    ['a head without end', () => writeRecord(recordType.open, 9, Buffer.alloc(20_000))],
    [
      'more than a window',
      (pair) => {
        call(pair, []);
        return Buffer.concat([
          writeRecord(recordType.open, 7, head),
          writeRecord(recordType.data, 7, Buffer.alloc(streamWindowBytes + 1)),
        ]);
      },
    ],
    [
      'bytes after the end',
      () =>
        Buffer.concat([
          writeRecord(recordType.open, 7, head),
          writeRecord(recordType.end, 7),
          writeRecord(recordType.data, 7, head),
        ]),
    ],
    ['messages acknowledged that were never sent', () => writeWindow(0, 41)],
    [
      'more streams than there may be',
      () =>
        Buffer.concat(
          Array.from({ length: 65 }, (_, index) => writeRecord(recordType.open, index + 1, head)),
        ),
    ],
  ])('ends where the other side sends %s', (_what, message) => {
    const pair = new LinkPair();
    pair.trainer.receive(message(pair));
    expect(pair.ends.trainer).toMatchObject({ code: 'ART_REACH_WIRE' });
  });

  it('ends where the other side asks for more and more answers, and acknowledges none', async () => {
    const pair = new LinkPair();
    const ping = writeRecord(recordType.ping, 0, Buffer.alloc(20_000));
    for (let count = 0; count < 300 && pair.ends.trainer === undefined; count += 1) {
      pair.trainer.receive(ping);
      await pair.step({ agent: 0, trainer: 0 });
    }
    expect(pair.ends.trainer).toMatchObject({ code: 'ART_REACH_WIRE' });
  });

  it('is lost where the other side talks, and acknowledges nothing', async () => {
    const pair = new LinkPair();
    for (let ms = 0; ms < 120_000; ms += 1_000) {
      pair.trainer.receive(writeRecord(recordType.ping, 0));
      await pair.step({ agent: 0, trainer: 0 });
      pair.clock.advance(995);
    }
    expect(pair.ends.trainer).toMatchObject({
      code: 'ART_REACH_LOST',
      message: expect.stringContaining('nothing was acknowledged for 60000 ms') as string,
    });
  });

  it('takes nothing before its hello', () => {
    const pair = new LinkPair();
    pair.agent.receive(writeRecord(recordType.open, 1, head));
    expect(pair.ends.agent).toMatchObject({ code: 'ART_REACH_WIRE' });
  });
});

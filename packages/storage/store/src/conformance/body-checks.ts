import { deepEqual, equal, ok } from 'node:assert/strict';
import { defineCheck } from './check-room.ts';
import type { ResultStoreCheck } from './result-store-check.ts';

/** Names the difference instead of printing megabytes. */
function sameText(actual: string | undefined, expected: string): void {
  if (actual === expected) return;
  ok(actual !== undefined, 'the body is missing');
  let index = 0;
  while (actual[index] === expected[index]) index += 1;
  const around = (text: string): string => JSON.stringify(text.slice(Math.max(0, index - 10), index + 20));
  throw new Error(
    `the body differs at ${index}: expected ${around(expected)} of ${expected.length} units, got ${around(actual)} of ${actual.length}`,
  );
}

/** Checks that a stored body comes back unchanged. */
export const bodyChecks: readonly ResultStoreCheck[] = [
  defineCheck({
    id: 'body.round-trip',
    name: 'gives back what was put',
    run: async (room) => {
      const body = '{\n  "status_code": 200,\n  "rewards": 1.0\n}';
      deepEqual(await room.put('a/b.json', body), { kind: 'stored' });
      equal(await room.get('a/b.json'), body);
      equal(await room.exists('a/b.json'), true);
    },
  }),
  defineCheck({
    id: 'body.unicode',
    name: 'keeps Unicode of every plane',
    run: async (room) => {
      const body =
        '{"text": "äöü ß – 日本語 – עברית – 👩‍🔬🏳️‍🌈 – \u{10ffff} – e\u0301 \u00e9 \u2028\ufffd\uffff"}';
      await room.put('unicode.json', body);
      sameText(await room.get('unicode.json'), body);
    },
  }),
  defineCheck({
    id: 'body.verbatim',
    name: 'changes nothing: byte order mark, line ends, NUL, trailing space',
    run: async (room) => {
      const body = '\ufeff{"a": 1}\r\n\n\r\u0000\t ';
      await room.put('verbatim.json', body);
      sameText(await room.get('verbatim.json'), body);
    },
  }),
  defineCheck({
    id: 'body.empty',
    name: 'tells an empty body from a missing one',
    run: async (room) => {
      await room.put('empty.json', '');
      equal(await room.get('empty.json'), '');
      equal(await room.exists('empty.json'), true);
    },
  }),
  defineCheck({
    id: 'body.5mb',
    name: 'keeps 5 MB of characters of one to four bytes',
    run: async (room) => {
      const piece = 'a€😀é'; // 10 bytes, so a chunk of any power of two cuts through characters
      const body = piece.repeat(500_000);
      await room.put('large.json', body);
      sameText(await room.get('large.json'), body);
    },
  }),
  defineCheck({
    id: 'body.overwrite',
    name: 'replaces a body, also a longer one',
    run: async (room) => {
      await room.put('o.json', 'x'.repeat(10_000));
      deepEqual(await room.put('o.json', 'second'), { kind: 'stored' });
      equal(await room.get('o.json'), 'second');
    },
  }),
  defineCheck({
    id: 'body.whole',
    name: 'shows a reader the old body or the new one while it is overwritten, never a part and never nothing',
    run: async (room) => {
      const bodies = ['a', 'b', 'c'].map((letter, index) => letter.repeat(300_000 + index * 100_000));
      await room.put('w.json', bodies[0]);
      const writer = { isDone: false };
      const write = async (): Promise<void> => {
        try {
          for (let round = 1; round <= 12; round += 1)
            await room.put('w.json', bodies[round % bodies.length]);
        } finally {
          writer.isDone = true;
        }
      };
      const read = async (): Promise<void> => {
        while (!writer.isDone) {
          const body = await room.get('w.json');
          ok(body !== undefined, 'a reader found nothing while the body was overwritten');
          ok(bodies.includes(body), `a reader saw ${body.length} characters that nobody stored`);
        }
      };
      await Promise.all([write(), read(), read()]);
    },
  }),
  defineCheck({
    id: 'body.many-writers',
    name: 'keeps 200 results that are put at once apart',
    run: async (room) => {
      const names = Array.from({ length: 200 }, (_, index) => `input-${index % 40}/session-${index}.json`);
      await Promise.all(names.map((name) => room.put(name, `body of ${name}`)));
      const bodies = await Promise.all(names.map((name) => room.get(name)));
      deepEqual(
        bodies,
        names.map((name) => `body of ${name}`),
      );
    },
  }),
];

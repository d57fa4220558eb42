import { expect, it } from 'vitest';
import { type Hello, readHello, readWelcome, writeHello, writeWelcome } from './hello.ts';

const hello: Hello = {
  sessionId: 's',
  secret: 'x',
  isOnly: true,
  limits: { messageBytes: 30_000, messageIntervalMs: 10 },
};
const written = (more: object): Buffer => Buffer.from(JSON.stringify({ ...writeHello(hello), ...more }));

it('a hello comes as it was sent', () => {
  expect(readHello(written({}))).toEqual(hello);
});

it('a welcome tells the names of the query, or that it does not', () => {
  const bytes = (welcome: object): Buffer => Buffer.from(JSON.stringify(welcome));
  expect(readWelcome(bytes(writeWelcome({ queryNames: ['a'] })))).toEqual({ queryNames: ['a'] });
  for (const queryNames of [undefined, 'a', [1]])
    expect(readWelcome(bytes({ version: 1, query_names: queryNames }))).toEqual({ queryNames: undefined });
});

it('one of another version says so', () => {
  expect(() => readHello(written({ version: 2 }))).toThrow('Expected version 1 of the wire, got 2.');
  expect(() => readWelcome(written({ version: 2 }))).toThrow(/version 1/);
});

it.each([{ secret: 1 }, { session_id: null }, { is_only: 'yes' }, { message_bytes: 10 }])(
  'one with %j is refused',
  (wrong) => {
    expect(() => readHello(written(wrong))).toThrow(/Expected/);
  },
);

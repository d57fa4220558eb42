import { describe, expect, it } from 'vitest';

import { SessionLineages, type LineageMatch } from './session-lineages.ts';

const user = (content: string): string => JSON.stringify({ role: 'user', content });
const assistant = (content: string): string => JSON.stringify({ role: 'assistant', content });
const ids = (...values: number[]): Int32Array => Int32Array.from(values);

function turn(
  lineages: SessionLineages,
  messages: string[],
  tokens: Int32Array[],
  reply: string,
  sessionId = 's',
) {
  const match = lineages.find(sessionId, '', messages);
  const [prompt = ids(), completion = ids()] = tokens;
  lineages.record(sessionId, '', match, { messages, prompt, completion, reply, isClosed: true });
  return match;
}

function continued(match: LineageMatch): number[][] {
  if (match.kind === 'new') return [];
  return [Array.from(match.lineage.prompt), Array.from(match.lineage.completion)];
}

it('finds the turn that a request continues, at any depth, and its tokens whole', () => {
  const lineages = new SessionLineages();
  turn(lineages, [user('a')], [ids(1, 2), ids(3)], assistant('A'));
  const second = [user('a'), assistant('A'), user('b')];
  expect(turn(lineages, second, [ids(1, 2, 3, 4), ids(5)], assistant('B'))).toMatchObject({
    kind: 'continues',
    newMessages: [user('b')],
    echo: assistant('A'),
  });
  const third = lineages.find('s', '', [...second, assistant('B'), user('c'), user('d')]);
  expect(third).toMatchObject({ kind: 'continues', newMessages: [user('c'), user('d')] });
  expect(continued(third)).toEqual([[1, 2, 3, 4], [5]]);
  // Each token once: 1 2, 3, 4, 5.
  expect(lineages.tokens).toBe(5);
});

it('knows messages again however a client spells them', () => {
  const lineages = new SessionLineages();
  const calls =
    '[{"id":"x","type":"function","function":{"name":"f","arguments":"{\\"a\\":1.0,\\"b\\":2}"}}]';
  const reply = `{"role":"assistant","content":null,"reasoning_content":"hm","tool_calls":${calls}}`;
  turn(lineages, ['{"role":"user","content":"a"}'], [ids(1), ids(2)], reply);
  const echo = (args: string): string =>
    `{"content": "", "tool_calls": [{"function": {"arguments": ${JSON.stringify(args)}, "name": "f"}, "id": "y"}], "role": "assistant"}`;
  const asked = (args: string): LineageMatch =>
    lineages.find('s', '', [
      '{ "content": [{"type":"text","text":"a"}], "role": "user" }',
      echo(args),
      user('b'),
    ]);
  expect(asked('{"b": 2, "a": 1.0}').kind).toBe('continues');
  // As an agent in JavaScript sends it back: what was sampled goes on all the same.
  expect(asked('{"b": 2, "a": 1}').kind).toBe('continues');
  expect(asked('{"b": 2, "a": 1.5}').kind).toBe('new');
  expect(asked('{"b": 2}').kind).toBe('new');
});

it('tells branches apart, and takes the last of answers that read the same', () => {
  const lineages = new SessionLineages();
  turn(lineages, [user('a')], [ids(1), ids(2)], assistant('A'));
  expect(turn(lineages, [user('a')], [ids(1), ids(3)], assistant('B')).kind).toBe('resend');
  turn(lineages, [user('a')], [ids(1), ids(4)], assistant('B'));
  turn(lineages, [user('other')], [ids(9), ids(8)], assistant('A'));
  expect(continued(lineages.find('s', '', [user('a'), assistant('A'), user('b')]))).toEqual([[1], [2]]);
  expect(continued(lineages.find('s', '', [user('a'), assistant('B'), user('b')]))).toEqual([[1], [4]]);
  expect(continued(lineages.find('s', '', [user('other'), assistant('A'), user('b')]))).toEqual([[9], [8]]);
  expect(lineages.find('s', '', [user('a'), assistant('C'), user('b')]).kind).toBe('new');
  expect(lineages.find('s', 'other tools', [user('a'), assistant('A'), user('b')]).kind).toBe('new');
  expect(lineages.find('other', '', [user('a'), assistant('A'), user('b')]).kind).toBe('new');
});

it('a message that cannot be read matches nothing and breaks nothing', () => {
  const lineages = new SessionLineages();
  turn(lineages, [user('a')], [ids(1), ids(2)], assistant('A'));
  expect(lineages.find('s', '', ['{"role":', assistant('A'), user('b')]).kind).toBe('new');
  expect(lineages.find('s', '', []).kind).toBe('new');
});

describe('bounds', () => {
  it('the least recently used branch of a session goes first, up to where another leaves it', () => {
    const lineages = new SessionLineages({ maxLineages: 2 });
    turn(lineages, [user('a')], [ids(1, 1), ids(2)], assistant('A'));
    const branch = (name: string, id: number) =>
      turn(lineages, [user('a'), assistant('A'), user(name)], [ids(1, 1, 2, id), ids(id)], assistant(name));
    branch('x', 3);
    branch('y', 4);
    lineages.find('s', '', [user('a'), assistant('A'), user('x'), assistant('x'), user('more')]);
    branch('z', 5);
    const next = (name: string): string =>
      lineages.find('s', '', [user('a'), assistant('A'), user(name), assistant(name), user('more')]).kind;
    expect(['x', 'z'].map(next)).toEqual(['continues', 'continues']);
    expect(
      continued(lineages.find('s', '', [user('a'), assistant('A'), user('y'), assistant('y'), user('m')])),
    ).toEqual([[1, 1], [2]]);
    expect(lineages.tokens).toBe(3 + 2 + 2);
  });

  it('the least recently used sessions go first', () => {
    const lineages = new SessionLineages({ maxSessions: 2 });
    for (const sessionId of ['s1', 's2'])
      turn(lineages, [user('a')], [ids(1), ids(2)], assistant('A'), sessionId);
    lineages.find('s1', '', [user('a')]);
    turn(lineages, [user('a')], [ids(1), ids(2)], assistant('A'), 's3');
    const known = ['s1', 's2', 's3'].map((sessionId) => lineages.find(sessionId, '', [user('a')]).kind);
    expect(known).toEqual(['resend', 'new', 'resend']);
  });

  it('tokens are bounded over all sessions, and a forgotten session gives its share back', () => {
    const lineages = new SessionLineages({ maxTokens: 7 });
    turn(lineages, [user('a')], [ids(1, 2, 3), ids(4)], assistant('A'), 's1');
    turn(lineages, [user('a')], [ids(1, 2), ids(3)], assistant('A'), 's2');
    expect(lineages.tokens).toBe(7);
    turn(lineages, [user('b')], [ids(1), ids(2)], assistant('A'), 's2');
    expect(lineages.tokens).toBe(5);
    lineages.forget('s2');
    lineages.forget('s2');
    expect(lineages.tokens).toBe(0);
  });
});

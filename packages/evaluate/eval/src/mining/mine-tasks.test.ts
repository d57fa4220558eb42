import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { evaluate } from '../run/evaluate.ts';
import { okOutcome, scriptedAgent } from '../run/scripted-agent.fixture.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { mineTasks } from './mine-tasks.ts';

async function written(name: string, text: string): Promise<string> {
  const path = join(await temporaryFolder(), name);
  await writeFile(path, text);
  return path;
}

const linesOf = (values: readonly object[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('');

/** A line of `art invoke --out` for a payload. */
const rollout = (payload: object, at: number) => ({
  schema: 'art.rollout.v1',
  id: String(at),
  outcome: 'ok',
  reward: 1,
  document: { payload: { ...payload, _rollout: { exp_id: 'x' } }, answer: 4 },
});

const rollouts = (payloads: readonly object[]) => written('results.jsonl', linesOf(payloads.map(rollout)));

describe('tasks of rollouts', () => {
  it('are each input once, by a digest of it', async () => {
    const path = await rollouts([
      { prompt: 'one', n: 1 },
      { n: 1, prompt: ' one\n' },
      { prompt: 'two', n: 1 },
      {},
    ]);
    const mined = await mineTasks(path);
    expect(mined).toMatchObject({ inputs: 3, repeated: 1, withoutInput: 1, heldOut: [], secrets: {} });
    expect(mined.tasks.map(({ payload }) => payload)).toEqual([
      { prompt: 'one', n: 1 },
      { prompt: 'two', n: 1 },
    ]);
    expect(mined.tasks.map(({ id }) => id)).toEqual([
      expect.stringMatching(/^[\da-f]{16}$/),
      expect.stringMatching(/^[\da-f]{16}$/),
    ]);
  });

  it('have no secrets, and inputs that only these tell apart are one', async () => {
    const path = await rollouts([
      {
        prompt: 'Call it with sk-abcdefghijklmnop1234.',
        apiKey: 'k1',
        max_tokens: 5,
        nested: [{ password: 'x' }],
      },
      {
        prompt: 'Call it with sk-zyxwvutsrqponmlk9876.',
        apiKey: 'k2',
        max_tokens: 5,
        nested: [{ password: 'y' }],
      },
      { prompt: 'Authorization: Bearer abc.def.ghi-123 https://me:pw@host/x?api_key=abcd1234&q=1' },
      { prompt: '-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nWhat is a key?' },
      { prompt: 'Basic arithmetic', keywords: 'sums', headers: { accept: 'text/plain' } },
    ]);
    const mined = await mineTasks(path);
    expect(mined.tasks.map(({ payload }) => payload)).toEqual([
      { prompt: 'Call it with [redacted].', max_tokens: 5, nested: [{}] },
      { prompt: 'Authorization: Bearer [redacted] https://[redacted]@host/x?api_key=[redacted]&q=1' },
      { prompt: '[redacted]\nWhat is a key?' },
      { prompt: 'Basic arithmetic', keywords: 'sums', headers: { accept: 'text/plain' } },
    ]);
    expect(mined.secrets).toEqual({ text: 6, apiKey: 2, password: 2 });
  });

  it('are held out for good, whatever is recorded later', async () => {
    const payloads = Array.from({ length: 400 }, (_, n) => ({ prompt: `question ${n}` }));
    const few = await mineTasks(await rollouts(payloads.slice(0, 200)), 0.25);
    const many = await mineTasks(await rollouts(payloads.toReversed()), 0.25);
    const ids = (tasks: readonly { id: string }[]) => tasks.map(({ id }) => id);
    expect(ids(many.heldOut)).toEqual(expect.arrayContaining(ids(few.heldOut)));
    expect(ids(many.tasks)).toEqual(expect.arrayContaining(ids(few.tasks)));
    expect(ids(many.tasks).filter((id) => ids(many.heldOut).includes(id))).toEqual([]);
    expect(many.heldOut.length).toBeGreaterThan(70);
    expect(many.heldOut.length).toBeLessThan(130);
  });

  it('of an evaluation keep their answers and tags', async () => {
    const folder = join(await temporaryFolder(), 'run');
    const { agent } = scriptedAgent(() => okOutcome({ rewards: 1 }));
    const task = { id: 'a', payload: { prompt: '2+2?' }, expected: 4, tags: ['sums'] };
    await evaluate({ agent, tasks: [task], samples: 3, folder, onNotice: () => undefined });
    const { tasks } = await mineTasks(folder);
    expect(tasks).toEqual([{ ...task, id: expect.stringMatching(/^[\da-f]{16}$/) as string }]);
  });

  it('need a run, or spans', async () => {
    await expect(mineTasks(await written('other.json', '{"a":1}'))).rejects.toMatchObject({
      code: 'ART_INVALID_OPTION',
      message: expect.stringContaining("OTLP's JSON of spans") as string,
    });
  });
});

const text = (value: string) => ({ stringValue: value });
const span = (traceId: string, start: number, attributes: Record<string, object>, events: object[] = []) => ({
  traceId,
  spanId: `${start}`,
  startTimeUnixNano: `176500000000000${String(start).padStart(4, '0')}`,
  attributes: Object.entries(attributes).map(([key, value]) => ({ key, value })),
  events,
});
const said = (role: string, content: string) => ({ role, parts: [{ type: 'text', content }] });
const messages = (...list: object[]) => ({ 'gen_ai.input.messages': text(JSON.stringify(list)) });
const batch = (...spans: object[]) => ({ resourceSpans: [{ scopeSpans: [{ spans }] }] });

describe('tasks of spans', () => {
  it('are what the first call of each trace was asked', async () => {
    const first = [said('system', 'Be brief.'), said('user', 'Where is my parcel?')];
    const later = [...first, said('assistant', 'Which one?'), { role: 'tool', parts: [] }];
    const path = await written(
      'spans.json',
      JSON.stringify(
        batch(
          span('a', 20, messages(...later)),
          span('a', 10, messages(...first)),
          span('b', 30, { 'gen_ai.operation.name': text('chat') }),
          span('c', 40, messages(said('user', 'Hi'), said('assistant', 'Hello!'), said('user', 'Cancel it'))),
          span('d', 50, messages(said('user', 'Where is  my parcel?'))),
        ),
      ),
    );
    const mined = await mineTasks(path);
    expect(mined).toMatchObject({ inputs: 3, repeated: 1, withoutInput: 1 });
    expect(mined.tasks.map(({ payload }) => payload)).toEqual([
      { prompt: 'Where is my parcel?' },
      {
        prompt: 'Cancel it',
        messages: [
          { role: 'user', content: 'Hi' },
          { role: 'assistant', content: 'Hello!' },
          { role: 'user', content: 'Cancel it' },
        ],
      },
    ]);
  });

  it('come from lines of batches, from structured values and events, and from the agent before its calls', async () => {
    const part = {
      kvlistValue: {
        values: [
          { key: 'type', value: text('text') },
          { key: 'content', value: text('Why?') },
        ],
      },
    };
    const structured = {
      arrayValue: {
        values: [
          {
            kvlistValue: {
              values: [
                { key: 'role', value: text('user') },
                { key: 'parts', value: { arrayValue: { values: [part] } } },
              ],
            },
          },
        ],
      },
    };
    const agent = {
      'gen_ai.operation.name': text('invoke_agent'),
      ...messages(said('user', 'As it was asked')),
    };
    const event = {
      name: 'gen_ai.client.inference.operation.details',
      attributes: [
        { key: 'gen_ai.input.messages', value: text(JSON.stringify([said('user', 'In an event')])) },
      ],
    };
    const path = await written(
      'spans.jsonl',
      linesOf([
        batch(
          span('a', 1, { 'gen_ai.input.messages': structured }),
          span('b', 2, messages(said('user', 'As it was rewritten'))),
        ),
        batch(span('b', 3, agent), span('c', 4, {}, [event])),
      ]),
    );
    const { tasks } = await mineTasks(path);
    expect(tasks.map(({ payload }) => payload['prompt'])).toEqual(['Why?', 'As it was asked', 'In an event']);
  });
});

import { describe, expect, it } from 'vitest';

import {
  messageOf,
  messages,
  prompt,
  routes,
  setUpEngine,
  tools,
  type EngineBed,
} from '../engine/engine-bed.fixture.ts';
import { byteModel } from '../tokens/models.fixture.ts';
import type { Exchanged } from '../engine/generate-harness.fixture.ts';
import { endOfTurn, idsOf } from '../engine/mock-render-engine.fixture.ts';

describe.each([
  { name: 'a renderer', mock: {}, options: {} },
  { name: '/tokenize', mock: { render: 'none', derender: 'none' }, options: {} },
  { name: 'a renderer, streamed', mock: { derender: 'stream' }, options: { stream: true } },
] as const)('cumulative, by $name of the engine', ({ mock, options }) => {
  const first = [...idsOf('<think>hm</think>Three, <tool_call>count({})</tool_call>'), endOfTurn];
  const start = [...prompt, ...first];
  const isParsed = !('render' in mock);
  const ask = (bed: EngineBed, more: readonly unknown[], body = {}): Promise<Exchanged> =>
    bed.ask({ ...options, tools, ...body, messages: [...messages, ...more] });
  const echoOf = (exchanged: Exchanged): object => ({
    ...messageOf(exchanged),
    reasoning_content: undefined,
  });
  const promptAt = (bed: EngineBed, at: number): number[] =>
    bed.sent(routes.generate)[at]!['token_ids'] as number[];

  it('a turn goes on from its tokens', async () => {
    const bed = await setUpEngine(mock, { cumulative: true });
    bed.engine.answer = () => ({ ids: first });
    const echo = echoOf(await ask(bed, []));
    const result = { role: isParsed ? 'tool' : 'user', tool_call_id: 'engine-call-0', content: '12' };
    const next = await ask(bed, [echo, result], { tool_choice: isParsed ? 'required' : 'auto' });
    const goesOn = [...start, ...idsOf(`\n${result.role}:12`), endOfTurn, ...idsOf('\nassistant:')];
    expect(promptAt(bed, 1)).toEqual(goesOn);
    expect(Array.from(next.captured!.promptTokenIds)).toEqual(goesOn);
    // What the engine makes of the call besides the prompt still counts.
    const params = bed.sent(routes.generate)[1]!['sampling_params'];
    if (isParsed) expect(params).toMatchObject({ temperature: 0.6, structured_outputs: {} });
    await ask(bed, [echo, result]);
    expect(promptAt(bed, 2)).toEqual(goesOn);
  });

  it.each([
    ['that was cut off', { ids: idsOf('Three\n'), finish: 'length' }, {}],
    ['that ended with a token which the template does not write', { ids: [...idsOf('Three'), 7] }, {}],
    ['that ended with a token of the call’s own', { ids: idsOf('Three\n') }, { stop_token_ids: [10] }],
  ])('a turn %s is rendered anew', async (_case, sampled, body) => {
    const bed = await setUpEngine(mock, { cumulative: true });
    bed.engine.answer = () => sampled;
    const echo = echoOf(await ask(bed, [], body));
    await ask(bed, [echo, ...messages], body);
    const { content } = echo as { content: string };
    expect(promptAt(bed, 1)).toEqual([
      ...prompt,
      ...idsOf(content),
      endOfTurn,
      ...idsOf('\nuser:How many?'),
      endOfTurn,
      ...idsOf('\nassistant:'),
    ]);
  });
});

it('with a checkpoint the engine only takes apart, and turns continue their tokens', async () => {
  const { engine, ask, sent } = await setUpEngine(
    {},
    { checkpoint: byteModel, renderThreads: 1, cumulative: true, toolCallParser: 'engine' },
  );
  const ids = [...idsOf('<think>hm</think>Twelve.'), endOfTurn];
  engine.answer = () => ({ ids });
  const first = await ask();
  expect(messageOf(first)).toMatchObject({ content: 'Twelve.', reasoning_content: 'hm' });
  await ask({ messages: [...messages, { role: 'assistant', content: 'Twelve.' }, ...messages] });
  const [before, after] = sent(routes.generate).map((body) => body['token_ids'] as number[]);
  expect(after!.slice(0, before!.length + ids.length)).toEqual([...before!, ...ids]);
  expect(sent(routes.render)).toEqual([]);
  expect(sent(routes.derender)).toHaveLength(2);
});

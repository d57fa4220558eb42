import { vllmChat } from '@art/tooling/vllm-shapes';
import { describe, expect, it } from 'vitest';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeAfterwards, testBench, type Bench } from '../../gateway-bench.fixture.ts';
import { sendJson, type MockEngine } from '../../mock-engine.fixture.ts';
import type { GatewayOptions } from '../../options/gateway-options.ts';
import { MemoryCaptureStore } from '../../store/memory-capture-store.ts';
import { startGateway } from '../../server/start-gateway.ts';

const endOfTurn = 256;
const idsOf = (text: string): number[] => [...Buffer.from(text)];

interface Message {
  role: string;
  content: string | null;
  tool_calls?: { function: { name: string; arguments: string } }[];
}

/** The engine's template: a token a byte, and one that ends a turn. */
function render(messages: readonly Message[]): number[] {
  const turns = messages.flatMap(({ role, content, tool_calls: calls = [] }) => [
    ...idsOf(`${role}:${content ?? ''}`),
    ...idsOf(calls.map((call) => `<${call.function.name} ${call.function.arguments}>`).join('')),
    endOfTurn,
    ...idsOf('\n'),
  ]);
  return [...turns, ...idsOf('assistant:')];
}

interface Sent {
  messages: Message[];
  kv_transfer_params?: { prompt_token_ids?: number[]; other?: number };
  input_ids?: number[];
  prompt_token_ids?: number[];
}

interface Turn {
  /** Sampled ids. @default the bytes of `content` and the end of the turn */
  ids?: number[];
  content?: string | null;
  toolCalls?: { id: string; name: string; arguments: string }[];
  finishReason?: string;
  stopReason?: string | number | null;
}

interface Engine {
  /** The next turn of the model. */
  turn: Turn;
  /** The prompts that were sampled from. */
  prompts: number[][];
  tokenized: number;
  /** True if the engine knows the field for the ids of the prompt. */
  takesIds: boolean;
  tokenizes: boolean;
  /** Where it is there, the connection breaks on which `/tokenize` is asked something for the first time. */
  broken: Set<string> | undefined;
}

/** Has an engine render, tokenise and sample from the ids that it is given, as the kinds of engines do. */
function playEngine(mock: MockEngine): Engine {
  const engine: Engine = {
    turn: {},
    prompts: [],
    tokenized: 0,
    takesIds: true,
    tokenizes: true,
    broken: undefined,
  };
  mock.answerOthers = (request, response) => {
    if (request.url !== '/tokenize') {
      sendJson(response, 200, {});
      return;
    }
    if (engine.broken?.has(request.text) === false) {
      engine.broken.add(request.text);
      response.destroy();
      return;
    }
    engine.tokenized += 1;
    const tokens = render((JSON.parse(request.text) as Sent).messages);
    if (engine.tokenizes) sendJson(response, 200, { count: tokens.length, max_model_len: 4_096, tokens });
    else sendJson(response, 404, { detail: 'Not Found' });
  };
  mock.answer = (request, response) => {
    const sent = JSON.parse(request.text) as Sent;
    const given = sent.kv_transfer_params?.prompt_token_ids ?? sent.input_ids ?? sent.prompt_token_ids;
    const promptTokenIds = (engine.takesIds ? given : undefined) ?? render(sent.messages);
    engine.prompts.push(promptTokenIds);
    const { content = null, toolCalls = [], finishReason = 'stop', stopReason = null } = engine.turn;
    const ids = engine.turn.ids ?? [...idsOf(content ?? ''), endOfTurn];
    const tokens = ids.map((id) => ({ id, text: 'x', logprob: -0.5 }));
    const choice = { index: 0, content, toolCalls, finishReason, logprobs: tokens, tokenIds: ids };
    const counts = { promptTokens: promptTokenIds.length, completionTokens: ids.length };
    const reply = vllmChat({ id: 'c', model: 'm', created: 1 }, [choice], { ...counts, promptTokenIds });
    const [said] = (reply as { choices: Record<string, unknown>[] }).choices;
    said!['stop_reason'] = stopReason;
    sendJson(response, 200, reply);
  };
  return engine;
}

const question: Message = { role: 'user', content: 'How many?' };
const more: Message = { role: 'user', content: 'And now?' };
const said = (content: string): Message => ({ role: 'assistant', content });

async function setUp(options: GatewayOptions = {}) {
  const bench = await testBench({ cumulativeTokenMode: true, ...options });
  const engine = playEngine(bench.engine);
  return { bench, engine, ask: (messages: readonly unknown[], body = {}) => ask(bench, messages, body) };
}

async function ask({ call }: Pick<Bench, 'call'>, messages: readonly unknown[], body = {}): Promise<number> {
  const reply = await call('/sessions/s/v1/chat/completions', { body: { model: 'm', messages, ...body } });
  await reply.text();
  return reply.status;
}

async function outcomes({ call }: Bench): Promise<Record<string, number>> {
  const page = await (await call('/metrics')).text();
  const found = page.matchAll(/^art_gateway_continued_turns_total\{outcome="(\w+)"\} (\d+)$/gm);
  return Object.fromEntries(Array.from(found, ([, outcome, count]) => [outcome!, Number(count)]));
}

// The token that the template would write for `12` is not the one that was sampled.
const drifted = [7, 7, endOfTurn];

describe('a call that continues from a turn of its session', () => {
  it('has the tokens of that turn, and what the template writes behind them', async () => {
    const { bench, engine, ask } = await setUp();
    engine.turn = { content: '12', ids: drifted };
    await ask([question]);
    engine.turn = { content: '13' };
    await ask([question, said('12'), more]);
    const goesOn = [...render([question]), ...drifted, ...idsOf('\nuser:And now?'), endOfTurn];
    const [first, second] = engine.prompts;
    expect(first).toEqual(render([question]));
    expect(second).toEqual([...goesOn, ...idsOf('\nassistant:')]);
    const captures = (await bench.json('/sessions/s/traces')) as { prompt_token_ids: number[] }[];
    expect(captures.map((capture) => capture.prompt_token_ids)).toEqual(engine.prompts);
    // One row, and nothing of it in the agent's own history.
    expect(await bench.json('/trajectories/s/finish', { body: {} })).toMatchObject({
      summary: { leaves: 1, turns: 2 },
    });
    expect(await outcomes(bench)).toEqual({ continued: 1 });
    expect(engine.tokenized).toBe(2);
  });

  it('has them also where the connections break on which the engine is asked for the template', async () => {
    const { bench, engine, ask } = await setUp();
    engine.turn = { content: '12', ids: drifted };
    await ask([question]);
    engine.broken = new Set();
    await ask([question, said('12'), more]);
    expect(engine.broken.size).toBe(2);
    expect(await outcomes(bench)).toEqual({ continued: 1 });
  });

  it.each([
    [
      'vllm',
      { kv_transfer_params: { other: 1 } },
      { kv_transfer_params: { other: 1, prompt_token_ids: [] } },
    ],
    ['sglang', {}, { input_ids: [] }],
    ['trtllm', {}, { prompt_token_ids: [] }],
  ] as const)('tells %s in the field that it has for them', async (flavour, body, field) => {
    const { bench, engine, ask } = await setUp({ workers: [] });
    await bench.json('/admin/workers', { body: { url: bench.engine.url, flavour } });
    engine.turn = { content: '12', ids: drifted };
    await ask([question]);
    await ask([question, said('12'), more], body);
    const sent = JSON.parse(bench.engine.last().text) as Record<string, unknown>;
    const written = JSON.stringify(sent, (name, value: unknown) => (name.endsWith('_ids') ? [] : value));
    expect(JSON.parse(written)).toMatchObject(field);
    expect(await outcomes(bench)).toEqual({ continued: 1 });
  });

  it('is known by what its messages say, however an agent spells them', async () => {
    const { engine, ask } = await setUp();
    engine.turn = { content: '12', ids: drifted };
    await ask([question]);
    const respelled = [
      { content: [{ type: 'text', text: 'How many?' }], role: 'user' },
      { role: 'assistant', content: [{ type: 'text', text: '12' }], reasoning_content: 'left out before' },
      more,
    ];
    await ask(respelled);
    expect(engine.prompts[1]!.slice(0, render([question]).length + drifted.length)).toEqual([
      ...render([question]),
      ...drifted,
    ]);
  });

  it('continues behind the calls of a turn', async () => {
    const { engine, ask } = await setUp();
    const call = { id: 'call_1', name: 'count', arguments: '{"of": "sheep"}' };
    const sampled = [...idsOf('<count {"of":  "sheep"}>'), endOfTurn];
    engine.turn = { toolCalls: [call], ids: sampled, finishReason: 'tool_calls' };
    await ask([question]);
    const echo = {
      role: 'assistant',
      content: '',
      tool_calls: [
        { id: 'other', type: 'function', function: { name: 'count', arguments: '{"of":"sheep"}' } },
      ],
    };
    await ask([question, echo, { role: 'tool', tool_call_id: 'other', content: '12' }]);
    expect(engine.prompts[1]).toEqual([
      ...render([question]),
      ...sampled,
      ...idsOf('\ntool:12'),
      endOfTurn,
      ...idsOf('\nassistant:'),
    ]);
  });

  it('finds the longest turn of several, and of equal ones the last', async () => {
    const { engine, ask } = await setUp();
    engine.turn = { content: '12', ids: [1, endOfTurn] };
    await ask([question]);
    engine.turn = { content: '12', ids: [2, endOfTurn] };
    await ask([question]);
    engine.turn = { content: '13', ids: [3, endOfTurn] };
    await ask([question, said('12'), more]);
    engine.turn = { content: '99', ids: [4, endOfTurn] };
    await ask([question]);
    await ask([question, said('12'), more, said('13'), question]);
    const [, , third, , last] = engine.prompts;
    expect(third!.slice(0, render([question]).length + 2)).toEqual([...render([question]), 2, endOfTurn]);
    expect(last!.slice(0, third!.length + 2)).toEqual([...third!, 3, endOfTurn]);
  });

  it('is known after a restart, and to another gateway at the same store', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'art-gateway-'));
    closeAfterwards(() => rm(directory, { recursive: true, maxRetries: 10 }));
    const { bench, engine, ask: first } = await setUp({ store: { directory } });
    engine.turn = { content: '12', ids: drifted };
    await first([question]);
    await bench.gateway.close();
    const workers = [{ url: bench.engine.url, flavour: 'vllm' }] as const;
    await (
      await setUpAt({ store: { directory }, workers })
    )([question, said('12'), more]);
    const store = new MemoryCaptureStore();
    const shared = { store, workers };
    await (
      await setUpAt(shared)
    )([question]);
    await (
      await setUpAt(shared)
    )([question, said('12'), more]);
    const start = [...render([question]), ...drifted];
    const [, again, , other] = engine.prompts;
    expect([again!.slice(0, start.length), other!.slice(0, start.length)]).toEqual([start, start]);
  });
});

/** Another gateway before the same engine. */
async function setUpAt(options: GatewayOptions) {
  const gateway = await startGateway({ port: 0, logLevel: 'silent', cumulativeTokenMode: true, ...options });
  closeAfterwards(() => gateway.close());
  const call: Bench['call'] = (path, { body } = {}) =>
    fetch(gateway.url + path, { method: 'POST', body: JSON.stringify(body) });
  return async (messages: readonly unknown[]) => {
    await ask({ call }, messages);
    await gateway.close();
  };
}

describe('a call is rendered by the engine', () => {
  it.each([
    ['other tools', {}, { tools: [{ type: 'function', function: { name: 'f' } }] }],
    ['another model', {}, { model: 'n' }],
    ['other arguments of the template', {}, { chat_template_kwargs: { enable_thinking: false } }],
    ['a prompt that the agent continues with itself', {}, { continue_final_message: true }],
    ['tokens of the agent’s own', {}, { input_ids: [1, 2] }],
  ])('with %s', async (_name, before, after) => {
    const { bench, engine, ask } = await setUp();
    engine.turn = { content: '12', ids: drifted };
    await ask([question], before);
    await ask([question, said('12'), more], after);
    expect(JSON.parse(bench.engine.last().text)).not.toHaveProperty('kv_transfer_params');
    expect(await outcomes(bench)).toEqual({});
  });

  it.each([
    ['that was cut off', { finishReason: 'length', ids: [7, 7] }, {}],
    ['that ended with a text', { stopReason: 'x', ids: [7, 10] }, { stop: ['x'] }],
    ['that ended with a token of the call’s own', { stopReason: 10, ids: [7, 10] }, { stop_token_ids: [10] }],
  ] as const)('behind a turn %s', async (_name, turn, body) => {
    const { bench, engine, ask } = await setUp();
    engine.turn = { content: '12', ...turn, ids: [...turn.ids] };
    await ask([question], body);
    await ask([question, said('12'), more], body);
    expect(engine.prompts[1]).toEqual(render([question, said('12'), more]));
    expect(await outcomes(bench)).toEqual({});
  });

  it('with an image, and behind it', async () => {
    const { bench, engine, ask } = await setUp();
    engine.turn = { content: '12', ids: drifted };
    await ask([question]);
    const image = { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:,' } }] };
    await ask([question, said('12'), image]);
    await ask([question, said('12'), image, said('12'), more]);
    expect(JSON.parse(bench.engine.last().text)).not.toHaveProperty('kv_transfer_params');
    expect(await outcomes(bench)).toEqual({});
  });

  it('where the end of the turn is not one that the template writes, or nobody tokenises', async () => {
    const { bench, engine, ask } = await setUp();
    engine.turn = { content: '12', ids: [7, 300] };
    await ask([question]);
    await ask([question, said('12'), more]);
    expect(await outcomes(bench)).toEqual({ rendered: 1 });
    engine.turn = { content: '14', ids: drifted };
    await ask([question]);
    engine.tokenizes = false;
    expect(await ask([question, said('14'), more])).toBe(200);
    expect(await outcomes(bench)).toEqual({ rendered: 2 });
  });

  it('and behind an assistant’s message that nobody sampled', async () => {
    const { bench, engine, ask } = await setUp();
    engine.turn = { content: '12', ids: drifted };
    await ask([question]);
    await ask([question, said('12'), more, said('edited'), more]);
    expect(engine.prompts[1]).toEqual(render([question, said('12'), more, said('edited'), more]));
    expect(await outcomes(bench)).toEqual({ rendered: 1 });
  });

  it('unless it is asked for', async () => {
    const { bench, engine, ask } = await setUp({ cumulativeTokenMode: false });
    engine.turn = { content: '12', ids: drifted };
    await ask([question]);
    await ask([question, said('12'), more]);
    expect(engine.prompts[1]).toEqual(render([question, said('12'), more]));
    expect([engine.tokenized, await outcomes(bench)]).toEqual([0, {}]);
  });
});

it('an engine that ignores the tokens gives another row, and is counted', async () => {
  const { bench, engine, ask } = await setUp();
  engine.takesIds = false;
  engine.turn = { content: '12', ids: drifted };
  await ask([question]);
  await ask([question, said('12'), more]);
  expect(await outcomes(bench)).toEqual({ ignored: 1 });
  const { records } = (await bench.json('/trajectories/s/finish', { body: {} })) as {
    records: { token_ids: number[] }[];
  };
  const [first, second] = engine.prompts;
  expect(records.map((row) => row.token_ids)).toEqual([
    [...first!, ...drifted],
    [...second!, ...drifted],
  ]);
});

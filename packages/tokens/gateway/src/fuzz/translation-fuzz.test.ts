import { expect, it } from 'vitest';
import { preparedCall } from '../capture/engine-replies.fixture.ts';
import { StreamCapture } from '../capture/stream-capture.ts';
import { nativeCapture } from '../calls/relay/native-answer.ts';
import { NativeStream } from '../calls/relay/native-stream.ts';
import { SseDataLines } from '../capture/sse-events.ts';
import { translateMessagesRequest } from '../model-wires/messages/translate-messages-request.ts';
import { translateResponsesRequest } from '../model-wires/responses/translate-responses-request.ts';
import { type WireTranslation } from '../model-wires/chat/wire-translation.ts';
import { checked, fuzzCases, fuzzTimeoutMs } from './checked.fixture.ts';
import type { Dice } from './dice.fixture.ts';
import { anyAnswer, messageOf, type EngineAnswer } from './engine-answer.fixture.ts';
import { eventsOf, replyOf } from './engine-events.fixture.ts';
import { anyStyle, streamOf } from './event-stream.fixture.ts';
import { dataOf } from './read-events.fixture.ts';
import { SpelledJson } from './spelled-json.fixture.ts';

/** An agent's reading of an answer, on any wire. */
interface Said {
  text: string;
  reasoning: string;
  calls: { id: string; name: string; arguments: string }[];
}

/** A chat answer of one choice, and what it says. */
function anyChat(dice: Dice): { answer: EngineAnswer; said: Said } {
  let answer = anyAnswer(dice);
  while (answer.endpoint !== 'chat') answer = anyAnswer(dice);
  answer = { ...answer, choices: answer.choices.slice(0, 1) };
  const message = messageOf(answer.choices[0]!, 'chat');
  const calls = (message['tool_calls'] ?? []) as {
    id: string;
    function: { name: string; arguments: string };
  }[];
  const said = {
    text: (message['content'] as string | null) ?? '',
    reasoning: (message[answer.reasoningName] as string | undefined) ?? '',
    calls: calls.map((call) => ({ id: call.id, ...call.function })),
  };
  return { answer, said };
}

/** The events that an agent of another wire gets of a chat stream. */
function translated(translation: WireTranslation, answer: EngineAnswer, dice: Dice): string {
  const oddity = dice.pick([0, 0.2]);
  const spelling = { dice, oddity, gaps: [' ', '\n', '\t'], escapesTexts: answer.ids !== 'tokens' };
  const objects = eventsOf(answer, dice).map((event) => new SpelledJson(event, spelling));
  const style = anyStyle(dice, oddity);
  const stream = streamOf(objects, style, dice).map(({ text }) => text);
  const bytes = Buffer.from(`${style.hasBom ? '\ufeff' : ''}${stream.join('')}`);
  const capture = new StreamCapture(
    preparedCall({ stream: true, stream_options: { include_usage: true } }, { flavour: answer.flavour }),
  );
  const lines = new SseDataLines();
  const wire = translation.openStream();
  const push = (chunk: Uint8Array): string =>
    lines
      .push(chunk)
      .filter((data) => data !== '[DONE]')
      .map((data) => wire.push(data))
      .join('');
  const places = [0, ...dice.cuts(bytes.length, 20), bytes.length];
  const pieces = places.slice(1).map((end, at) => push(capture.push(bytes.subarray(places[at], end))));
  return pieces.join('') + push(capture.finish().rest) + wire.finish();
}

type Event = Record<string, unknown> & { type: string };

function eventsIn(stream: string): Event[] {
  return dataOf(stream).map((data) => JSON.parse(data) as Event);
}

function messagesRequest(): WireTranslation {
  return translateMessagesRequest(
    Buffer.from('{"model":"m","max_tokens":9,"stream":true,"messages":[{"role":"user","content":"q"}]}'),
  );
}

function responsesRequest(): WireTranslation {
  return translateResponsesRequest(Buffer.from('{"model":"m","input":"q","stream":true}'));
}

interface Block {
  type: string;
  text?: string;
  thinking?: string;
  id?: string;
  name?: string;
  input?: unknown;
}

function saidInBlocks(blocks: readonly Block[], inputs: readonly string[]): Said {
  const calls = blocks.filter(({ type }) => type === 'tool_use');
  return {
    text: blocks.map(({ text }) => text ?? '').join(''),
    reasoning: blocks.map(({ thinking }) => thinking ?? '').join(''),
    calls: calls.map(({ id, name }, at) => ({ id: id!, name: name!, arguments: inputs[at] ?? '' })),
  };
}

/** Puts together what a client of the Messages wire does; blocks are strictly one after another. */
function readMessagesStream(stream: string): Said {
  const blocks: Block[] = [];
  const inputs: string[] = [];
  let open: number | undefined;
  for (const event of eventsIn(stream)) {
    if (event.type === 'content_block_start') {
      expect([open, event['index']]).toEqual([undefined, blocks.length]);
      open = blocks.length;
      blocks.push({ ...(event['content_block'] as Block) });
      if (blocks[open]!.type === 'tool_use') inputs.push('');
    } else if (event.type === 'content_block_delta') {
      expect(event['index']).toBe(open);
      const delta = event['delta'] as {
        type: string;
        text?: string;
        thinking?: string;
        partial_json?: string;
      };
      const block = blocks[open!]!;
      if (delta.text !== undefined) block.text += delta.text;
      if (delta.thinking !== undefined) block.thinking += delta.thinking;
      if (delta.partial_json !== undefined) inputs[inputs.length - 1] += delta.partial_json;
    } else if (event.type === 'content_block_stop') {
      expect(event['index']).toBe(open);
      open = undefined;
    }
  }
  expect(open).toBeUndefined();
  return saidInBlocks(blocks, inputs);
}

interface Item {
  type: string;
  call_id?: string;
  name?: string;
  arguments?: string;
  summary?: { text: string }[];
  content?: { text: string }[];
}

function saidInItems(items: readonly Item[]): Said {
  return {
    text: items
      .flatMap(({ content }) => content ?? [])
      .map(({ text }) => text)
      .join(''),
    reasoning: items
      .flatMap(({ summary }) => summary ?? [])
      .map(({ text }) => text)
      .join(''),
    calls: items
      .filter(({ type }) => type === 'function_call')
      .map((item) => ({ id: item.call_id!, name: item.name!, arguments: item.arguments! })),
  };
}

it('says in the events of the Messages wire what the chat stream said', { timeout: fuzzTimeoutMs }, () => {
  const count = checked(fuzzCases, (dice) => {
    const { answer, said } = anyChat(dice);
    const stream = translated(messagesRequest(), answer, dice);
    expect(readMessagesStream(stream)).toEqual(said);
    const events = eventsIn(stream);
    expect([events[0]?.type, events.at(-1)?.type]).toEqual(['message_start', 'message_stop']);
    const end = events.at(-2) as unknown as {
      usage: { output_tokens: number };
      delta: { stop_reason: string };
    };
    const tokens = answer.choices[0]!.steps.flatMap(({ ids }) => ids).length;
    expect(end.usage.output_tokens).toBe(answer.usage === 'none' ? 0 : tokens);
    const isCut = answer.choices[0]!.finishReason === 'length';
    expect(end.delta.stop_reason).toBe(
      isCut ? 'max_tokens' : said.calls.length > 0 ? 'tool_use' : 'end_turn',
    );
  });
  expect(count).toBe(fuzzCases);
});

it('says in the events of the Responses wire what the chat stream said', { timeout: fuzzTimeoutMs }, () => {
  const count = checked(fuzzCases, (dice) => {
    const { answer, said } = anyChat(dice);
    const events = eventsIn(translated(responsesRequest(), answer, dice));
    expect(events.map((event) => event['sequence_number'])).toEqual(events.map((_, index) => index));
    const last = events.at(-1) as unknown as { type: string; response: { output: Item[] } };
    expect(last.type).toMatch(/^response\.(?:completed|incomplete)$/);
    expect(saidInItems(last.response.output)).toEqual(said);
    const done = events
      .filter(({ type }) => type === 'response.output_item.done')
      .map((event) => event['item']);
    expect(last.response.output).toEqual(done);
    const deltas = (type: string): string =>
      events.map((event) => (event.type === type ? (event['delta'] as string) : '')).join('');
    expect(deltas('response.output_text.delta')).toBe(said.text);
    expect(deltas('response.reasoning_summary_text.delta')).toBe(said.reasoning);
    expect(deltas('response.function_call_arguments.delta')).toBe(
      said.calls.map((call) => call.arguments).join(''),
    );
  });
  expect(count).toBe(fuzzCases);
});

it('reads native streams of both wires as it writes them', { timeout: fuzzTimeoutMs }, () => {
  const count = checked(fuzzCases, (dice) => {
    const { answer, said } = anyChat(dice);
    const [wire, request] = dice.pick([
      ['messages', messagesRequest],
      ['responses', responsesRequest],
    ] as const);
    const lineEnd = dice.pick(['\n', '\r\n', '\r']);
    const text = translated(request(), answer, dice).replaceAll('\n', lineEnd);
    const bytes = Buffer.from(
      `${dice.pick(['', '\ufeff'])}${dice.pick(['', `: ping${lineEnd}${lineEnd}`])}${text}`,
    );
    const native = new NativeStream(wire);
    const places = [0, ...dice.cuts(bytes.length, 20), bytes.length];
    const passed = places
      .slice(1)
      .map((end, at) => Buffer.from(native.push(bytes.subarray(places[at], end))));
    const { rest, ...end } = native.finish();
    expect(Buffer.concat([...passed, Buffer.from(rest)])).toEqual(bytes);
    const captured = nativeCapture(end);
    expect(captured).toMatchObject({ model: 'm', ended: true });
    const message = JSON.parse(captured.choices[0]!.message) as Record<string, unknown>;
    const calls = (message['tool_calls'] ?? []) as {
      id: string;
      function: { name: string; arguments: string };
    }[];
    expect({
      text: message['content'] ?? '',
      reasoning: message['reasoning_content'] ?? '',
      calls: calls.map((call) => ({ id: call.id, ...call.function })),
    }).toEqual({
      ...said,
      // A block without arguments has an empty object.
      calls: said.calls.map((call) => ({
        ...call,
        arguments: call.arguments || (wire === 'messages' ? '{}' : ''),
      })),
    });
  });
  expect(count).toBe(fuzzCases);
});

it('says in whole replies of both wires what the chat reply said', { timeout: fuzzTimeoutMs }, () => {
  const count = checked(fuzzCases, (dice) => {
    const { answer, said } = anyChat(dice);
    const spelling = { dice, oddity: dice.pick([0, 0.2]), gaps: [' ', '\n'], escapesTexts: true };
    const reply = new SpelledJson(replyOf(answer, dice), spelling).text();
    const message = JSON.parse(messagesRequest().reply(reply)) as { content: Block[] };
    const inputs = message.content.filter(({ type }) => type === 'tool_use').map(({ input }) => input);
    // Whole calls have their arguments as objects; what is none is shown as it was written.
    const written = said.calls.map(({ arguments: text }) => objectIn(text));
    expect(inputs).toEqual(written);
    expect(
      saidInBlocks(
        message.content,
        said.calls.map((call) => call.arguments),
      ),
    ).toEqual(said);
    const response = JSON.parse(responsesRequest().reply(reply)) as { output: Item[] };
    expect(saidInItems(response.output)).toEqual(said);
  });
  expect(count).toBe(fuzzCases);
});

function objectIn(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // No JSON.
  }
  return { _raw_arguments: text };
}

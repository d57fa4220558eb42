import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { captureStatus, type CapturedReply } from './captured-reply.ts';
import {
  plainChatEvents,
  preparedCall,
  sampled,
  sglangChatEvents,
  vllmChat,
  vllmChatEvents,
} from './engine-replies.fixture.ts';
import type { PreparedCall } from './prepare-call.ts';
import { StreamCapture } from './stream-capture.ts';

const prompt = [1, 2, 3];

interface Outcome {
  /** Text that was passed on before the end. */
  text: string;
  rest: string;
  captured: CapturedReply;
}

function stream(
  pieces: readonly (string | Buffer)[],
  call: PreparedCall = preparedCall({ stream: true }),
): Outcome {
  const capture = new StreamCapture(call);
  const passed = pieces.map((piece) => Buffer.from(capture.push(Buffer.from(piece))));
  const { rest, captured } = capture.finish();
  return { text: Buffer.concat(passed).toString(), rest: Buffer.from(rest).toString(), captured };
}

function statuses(captured: CapturedReply): string[] {
  return captured.choices.map((choice) => captureStatus(choice, captured));
}

function chunk(choice: object, rest: object = {}): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }], ...rest })}\n\n`;
}

const done = 'data: [DONE]\n\n';

describe('StreamCapture', () => {
  it('captures a stream of vLLM and passes on what a plain server would send, but for the last event', () => {
    const choice = sampled(6);
    const { text, rest, captured } = stream(vllmChatEvents(prompt, [choice]));
    expect(text + rest).toBe(plainChatEvents([choice]));
    expect(rest).toBe(done);
    expect(captured).toMatchObject({
      model: 'm',
      promptTokenIds: Int32Array.from(prompt),
      usage: { prompt: 3, completion: 6 },
      ended: true,
    });
    expect(captured.choices[0]).toMatchObject({
      tokenIds: Int32Array.from(choice.ids),
      logprobs: Float64Array.from(choice.logprobs),
      message: `{"role":"assistant","content":"${choice.texts.join('')}"}`,
      finishReason: 'stop',
      problems: [],
    });
    expect(statuses(captured)).toEqual(['complete']);
  });

  it('passes on each event with the bytes that complete it', () => {
    const capture = new StreamCapture(preparedCall({ stream: true }));
    for (const event of vllmChatEvents(prompt, [sampled(3)]).slice(0, -2)) {
      expect(Buffer.from(capture.push(Buffer.from(event.slice(0, -1)))).toString()).toBe('');
      expect(Buffer.from(capture.push(Buffer.from('\n'))).toString()).toMatch(/^data: .*\n\n$/);
    }
  });

  it('passes the engine’s own bytes on where nothing is to be stripped', () => {
    const call = preparedCall({
      stream: true,
      logprobs: true,
      return_token_ids: true,
      stream_options: { include_usage: true },
    });
    const events = vllmChatEvents(prompt, [sampled(3)]).map((event) =>
      event.replace('"stop_reason":null,', ''),
    );
    const piece = Buffer.from(events.slice(0, -1).join(''));
    expect(new StreamCapture(call).push(piece)).toBe(piece);
    const { text, rest, captured } = stream(events, call);
    expect(text + rest).toBe(events.join(''));
    expect(statuses(captured)).toEqual(['complete']);
  });

  it('captures and passes on the same however the bytes are split, several choices interleaved', () => {
    const choices = [sampled(5), sampled(3, 1), sampled(7, 2)];
    const call = preparedCall({ stream: true, n: 3 });
    for (const events of [vllmChatEvents(prompt, choices), sglangChatEvents(prompt, choices)]) {
      for (const lineEnd of ['\n', '\r\n']) {
        const bytes = Buffer.from(`: hello${lineEnd}${lineEnd}${events.join('').replaceAll('\n', lineEnd)}`);
        const whole = stream([bytes], call);
        expect(statuses(whole.captured)).toEqual(['complete', 'complete', 'complete']);
        expect(whole.captured.choices.map((choice) => [...choice.tokenIds])).toEqual(
          choices.map(({ ids }) => ids),
        );
        fc.assert(
          fc.property(fc.array(fc.nat(bytes.length), { maxLength: 30 }), (cuts) => {
            const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
            const pieces = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
            expect(stream(pieces, call)).toEqual(whole);
          }),
          { numRuns: 60 },
        );
      }
    }
  });

  it('captures a stream of SGLang, whose ids come once', () => {
    const choice = sampled(4);
    const call = preparedCall({ stream: true }, { flavour: 'sglang' });
    const { text, rest, captured } = stream(sglangChatEvents(prompt, [choice]), call);
    expect(statuses(captured)).toEqual(['complete']);
    expect(captured.choices[0]?.tokenIds).toEqual(Int32Array.from(choice.ids));
    expect(captured.choices[0]?.promptTokenIds).toEqual(Int32Array.from(prompt));
    // Neither the event of the ids nor that of the counts was there for the agent.
    expect(text).not.toMatch(/sglext|"choices":\[\]|logprobs/);
    expect(rest).toBe(done);
    const named = sglangChatEvents(prompt, [choice]).map((event) =>
      event.includes('sglext') ? `event: sglext_ids\n${event}` : event,
    );
    expect(stream(named, call)).toEqual({ text, rest, captured });
  });

  it('leaves the counts to an agent that asked for them', () => {
    const call = preparedCall(
      { stream: true, stream_options: { include_usage: true } },
      { flavour: 'sglang' },
    );
    const { text } = stream(sglangChatEvents(prompt, [sampled(1)]), call);
    expect(text).toContain('"choices":[],"usage":{"prompt_tokens":3');
    expect(text).not.toContain('sglext');
  });

  it('leaves out events that only carried ids', () => {
    const events = [
      chunk({ delta: { role: 'assistant', content: '' } }, { prompt_token_ids: [1] }),
      chunk({ delta: {}, token_ids: [5], logprobs: { content: [{ logprob: -1 }] }, finish_reason: null }),
      chunk({
        delta: { content: null, tool_calls: null },
        token_ids: [6],
        logprobs: { content: [{ logprob: -1 }] },
      }),
      chunk({ delta: {}, finish_reason: 'stop' }),
      done,
    ];
    const { text, captured } = stream(events);
    expect(text).toBe(
      chunk({ delta: { role: 'assistant', content: '' } }) + chunk({ delta: {}, finish_reason: 'stop' }),
    );
    expect(captured.choices[0]?.tokenIds).toEqual(Int32Array.of(5, 6));
    expect(statuses(captured)).toEqual(['complete']);
  });

  it('keeps such events where they have logprobs that the agent asked for', () => {
    const event = chunk({ delta: {}, token_ids: [5], logprobs: { content: [{ logprob: -1 }] } });
    const { text } = stream([event], preparedCall({ stream: true, logprobs: true }));
    expect(text).toBe(event.replace('"token_ids":[5],', ''));
  });

  it('puts tool calls, reasoning and unknown members together', () => {
    const deltas = [
      { role: 'assistant', content: null, reasoning_content: 'Let' },
      { reasoning_content: ' me' },
      { tool_calls: [{ index: 1, id: 'b', type: 'function', function: { name: 'two', arguments: '' } }] },
      { tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'one', arguments: '{"x"' } }] },
      {
        tool_calls: [
          { index: 0, function: { arguments: ': 1.0}' } },
          { index: 1, function: { arguments: '{}' } },
        ],
      },
      { refusal: 'No', annotations: [{ a: 1 }] },
    ];
    const { captured } = stream([
      ...deltas.map((delta) => chunk({ delta, finish_reason: null })),
      chunk({ delta: {}, finish_reason: 'tool_calls' }),
    ]);
    expect(JSON.parse(captured.choices[0]?.message ?? '')).toEqual({
      role: 'assistant',
      content: null,
      reasoning_content: 'Let me',
      refusal: 'No',
      annotations: [{ a: 1 }],
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'one', arguments: '{"x": 1.0}' } },
        { id: 'b', type: 'function', function: { name: 'two', arguments: '{}' } },
      ],
    });
  });

  it('takes engines that send every event whole', () => {
    const grown = (count: number, rest: object = {}): string =>
      chunk(
        {
          delta: { content: 'x' },
          token_ids: [5, 5, 6, 7].slice(0, count),
          logprobs: { content: [-0.5, -0.5, -1, -2].slice(0, count).map((logprob) => ({ logprob })) },
        },
        { prompt_token_ids: [1], ...rest },
      );
    const end = chunk({ delta: {}, finish_reason: 'stop' });
    const counted = `data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":4}}\n\n`;
    for (const events of [
      [grown(1), grown(2), grown(3), grown(4), end, counted, done],
      [grown(1), grown(2), grown(3), grown(4), end, done],
      // The last one again, as in an event that ends the choice.
      [grown(1), grown(2), grown(4), grown(4), end, counted, done],
    ]) {
      const { captured } = stream(events);
      expect([...(captured.choices[0]?.tokenIds ?? [])]).toEqual([5, 5, 6, 7]);
      expect([...(captured.choices[0]?.logprobs ?? [])]).toEqual([-0.5, -0.5, -1, -2]);
      expect(statuses(captured)).toEqual(['complete']);
    }
  });

  it('takes new tokens for new ones where they begin like the old ones', () => {
    const token = (...ids: number[]): string =>
      chunk(
        { delta: { content: 'x' }, token_ids: ids, logprobs: { content: ids.map(() => ({ logprob: 0 })) } },
        { prompt_token_ids: [1] },
      );
    const end = chunk({ delta: {}, finish_reason: 'stop' });
    const same = stream([token(5), token(5), token(5), end, done]);
    expect([...(same.captured.choices[0]?.tokenIds ?? [])]).toEqual([5, 5, 5]);
    const counted = `data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":3}}\n\n`;
    const growing = stream([token(5), token(5, 6), end, counted, done]);
    expect([...(growing.captured.choices[0]?.tokenIds ?? [])]).toEqual([5, 5, 6]);
    expect(statuses(growing.captured)).toEqual(['complete']);
  });

  it('finds tokens that were lost on the way', () => {
    const events = vllmChatEvents(prompt, [sampled(4)]);
    events.splice(2, 1);
    const { captured } = stream(events);
    expect(captured.choices[0]?.problems).toEqual([expect.stringMatching(/^completion_count: /)]);
    expect(statuses(captured)).toEqual(['incomplete']);
  });

  it('joins an event of several data lines and keeps what is around', () => {
    const event =
      'event: message\nid: 7\ndata: {"choices":[\ndata:{"index":0,"delta":{"content":"a"},"token_ids":\ndata: [5],"finish_reason":"stop"}]}\nretry: 5\n\n';
    const { text, captured } = stream([event, done]);
    expect(text).toBe(
      'event: message\nid: 7\ndata: {"choices":[\ndata:{"index":0,"delta":{"content":"a"},"finish_reason":"stop"}]}\nretry: 5\n\n',
    );
    expect(captured.choices[0]?.tokenIds).toEqual(Int32Array.of(5));
    const returns = event.replaceAll('\n', '\r\n');
    expect(stream([returns, done]).text).toBe(text.replaceAll('\n', '\r\n'));
  });

  it('reads what is behind a byte order mark, and keeps the mark', () => {
    const events = vllmChatEvents(prompt, [sampled(2)]);
    const marked = Buffer.from(`\ufeff${events.join('')}`);
    for (let at = 0; at <= 5; at += 1) {
      const { text, rest, captured } = stream([marked.subarray(0, at), marked.subarray(at)]);
      expect(text + rest).toBe(`\ufeff${plainChatEvents([sampled(2)])}`);
      expect(statuses(captured)).toEqual(['complete']);
    }
    const body = stream([`\ufeff${JSON.stringify(vllmChat(prompt, [sampled(2)]))}`]);
    expect(statuses(body.captured)).toEqual(['complete']);
    expect(stream([marked.subarray(0, 2)]).rest).toBe(marked.subarray(0, 2).toString());
    expect(stream(['\n', ' ']).rest).toBe('\n ');
  });

  it('passes comments, other events and a missing space on as they are', () => {
    const events = [
      ': keepalive\n\n',
      'event: ping\n\n',
      'data:{"choices":[]}\n\n',
      'data\n\n',
      '\n',
      'data: 5\n\n',
    ];
    const { text, captured } = stream(events);
    expect(text).toBe(events.join(''));
    expect(captured).toMatchObject({ choices: [], ended: false });
  });

  it('strips an event without a space after the colon', () => {
    const { text } = stream(['data:{"choices":[{"index":0,"delta":{"content":"a"},"token_ids":[1]}]}\n\n']);
    expect(text).toBe('data:{"choices":[{"index":0,"delta":{"content":"a"}}]}\n\n');
  });

  it('ends without `[DONE]` where every choice has finished', () => {
    const events = vllmChatEvents(prompt, [sampled(2)]).slice(0, -1);
    const { rest, captured } = stream(events);
    expect(rest).toBe('');
    expect(statuses(captured)).toEqual(['complete']);
  });

  it.each(['data: [DONE]', 'data: [DONE]\n', 'data:[DONE] \r\n\r\n'])('knows %j for the end', (end) => {
    const { rest, captured } = stream([...vllmChatEvents(prompt, [sampled(2)]).slice(0, -1), end]);
    expect(rest).toBe(end);
    expect(statuses(captured)).toEqual(['complete']);
  });

  it('holds back what follows the last event too', () => {
    const { rest } = stream([chunk({ delta: {}, finish_reason: 'stop' }), done, ': bye\n\n']);
    expect(rest).toBe(`${done}: bye\n\n`);
  });

  it('keeps what came of an answer that broke off, and does not pass on half an event', () => {
    const events = vllmChatEvents(prompt, [sampled(5)]);
    const { text, rest, captured } = stream([...events.slice(0, 4), (events[4] ?? '').slice(0, 60)]);
    expect(text.endsWith('\n\n')).toBe(true);
    expect(rest).toBe('');
    expect(captured.choices[0]?.tokenIds).toEqual(Int32Array.from(sampled(5).ids.slice(0, 3)));
    expect(statuses(captured)).toEqual(['partial']);
  });

  it('has not ended while a choice is missing, though those that came have finished', () => {
    const call = preparedCall({ stream: true, n: 2 });
    const one = (index: number): string => chunk({ index, delta: {}, token_ids: [7], finish_reason: 'stop' });
    expect(statuses(stream([one(0)], call).captured)).toEqual(['partial']);
    expect(stream([one(0), one(1)], call).captured.ended).toBe(true);
    // What the engine itself calls complete is, and is marked.
    expect(statuses(stream([one(0), done], call).captured)).toEqual(['incomplete']);
  });

  it('has not ended before the ids have come that SGLang sends behind the answer', () => {
    const call = preparedCall({ stream: true }, { flavour: 'sglang' });
    const answer = chunk({ delta: { content: 'x' }, finish_reason: 'stop' });
    const ids = { sglext: { input_ids: [1], output_ids: [[7]] } };
    const later = `data: ${JSON.stringify({ choices: [], ...ids })}\n\n`;
    expect(statuses(stream([answer], call).captured)).toEqual(['partial']);
    expect(stream([answer, later], call).captured.ended).toBe(true);
    // A release that has none says so by its end.
    expect(statuses(stream([answer, done], call).captured)).toEqual(['incomplete']);
  });

  it('passes an error within a stream on at once, and the answer does not count as ended', () => {
    const error = 'data: {"error":{"message":"out of memory","code":500}}\n\n';
    const { text, captured } = stream([...vllmChatEvents(prompt, [sampled(5)]).slice(0, 3), error, done]);
    expect(text.endsWith(error)).toBe(true);
    expect(captured.error).toContain('out of memory');
    expect(statuses(captured)).toEqual(['partial']);
  });

  it('passes what it cannot read on untouched and marks the capture', () => {
    const broken = 'data: {"choices":[{"index":0,"token_ids":[1,}\n\n';
    const { text, captured } = stream([broken, ...vllmChatEvents(prompt, [sampled(2)])]);
    expect(text.startsWith(broken)).toBe(true);
    expect(captured.choices[0]?.problems).toEqual([expect.stringMatching(/^unreadable: /)]);
  });

  it.each([1, 7, 10_000])('reads one JSON body in pieces of %i in place of events', (size) => {
    const body = ` \n${JSON.stringify(vllmChat(prompt, [sampled(3)]))}`;
    const pieces = Array.from({ length: Math.ceil(body.length / size) }, (_, index) =>
      body.slice(index * size, (index + 1) * size),
    );
    const { text, rest, captured } = stream(pieces);
    expect(text).toBe('');
    expect(JSON.parse(rest)).not.toHaveProperty('prompt_token_ids');
    expect(statuses(captured)).toEqual(['complete']);
  });

  it('gives an error body back at the end as it is', () => {
    const { text, rest, captured } = stream(['{"error":', '{"message":"no"}}']);
    expect(text + rest).toBe('{"error":{"message":"no"}}');
    expect(captured).toMatchObject({ choices: [], ended: false, error: '{"message":"no"}' });
  });

  it('reads the streams of completions', () => {
    const call = preparedCall({ stream: true, n: 2 }, { endpoint: 'completions' });
    const part = (index: number, text: string, id: number, rest: object = {}): string =>
      `data: ${JSON.stringify({
        choices: [
          {
            index,
            text,
            token_ids: [id],
            logprobs: { tokens: [text], token_logprobs: [-id] },
            finish_reason: null,
            ...rest,
          },
        ],
      })}\n\n`;
    const { text, captured } = stream(
      [
        part(0, 'a', 1, { prompt_token_ids: [7, 8] }),
        part(1, 'b', 2, { prompt_token_ids: [7, 8] }),
        part(1, 'c"\\', 3, { finish_reason: 'length' }),
        part(0, '😀', 4, { finish_reason: 'stop' }),
        'data: {"choices":[],"usage":{"prompt_tokens":2,"completion_tokens":4}}\n\n',
        done,
      ],
      call,
    );
    expect(text).not.toMatch(/token_ids|logprobs|usage/);
    expect(statuses(captured)).toEqual(['complete', 'complete']);
    expect(captured.choices.map((choice) => [...choice.tokenIds])).toEqual([
      [1, 4],
      [2, 3],
    ]);
    expect(JSON.parse(captured.choices[1]?.message ?? '')).toEqual({ role: 'assistant', content: 'bc"\\' });
    expect(captured.choices[0]?.promptTokenIds).toEqual(Int32Array.of(7, 8));
  });

  it('puts a character together that was split between two events', () => {
    const { captured } = stream([
      'data: {"choices":[{"index":0,"delta":{"content":"\\ud83d"}}]}\n\n',
      'data: {"choices":[{"index":0,"delta":{"content":"\\ude00"},"finish_reason":"stop"}]}\n\n',
    ]);
    expect(JSON.parse(captured.choices[0]?.message ?? '')).toMatchObject({ content: '😀' });
  });

  it('joins any texts to what they are together', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 20 }), (pieces) => {
        const { captured } = stream([
          chunk({ delta: { role: 'assistant' } }),
          ...pieces.map((content) => chunk({ delta: { content } })),
        ]);
        const content = pieces.length === 0 ? null : pieces.join('');
        expect(JSON.parse(captured.choices[0]?.message ?? '')).toEqual({ role: 'assistant', content });
      }),
    );
  });
});

import { describe, expect, it } from 'vitest';
import { differencesFromVllm } from './vllm-dialect.ts';
import { type Exchange, readVllmRecording } from './vllm-recording.ts';
import {
  vllmCallPiece,
  vllmCallStart,
  vllmChat,
  vllmChatEvent,
  vllmChatStart,
  vllmCompletion,
  vllmCompletionEvent,
  vllmError,
  vllmModels,
  vllmUsageEvent,
} from './vllm-shapes.ts';

const head = { id: 'chatcmpl-1', model: 'm' };
const tokens = [
  { id: 4, text: 'Hi', logprob: -0.5 },
  { id: 5, text: '', logprob: -1 },
];
const counts = { promptTokens: 2, completionTokens: 2 };
const ids = [4, 5];

function whole(path: string, body: object, status = 200): Exchange {
  const headers = [
    ['content-type', 'application/json'],
    ['content-length', '1'],
  ] as const;
  return { method: 'POST', path, status, headers, pieces: [JSON.stringify(body)] };
}

function stream(path: string, events: readonly object[]): Exchange {
  const headers = [['content-type', 'text/event-stream; charset=utf-8']] as const;
  const pieces = [...events.map((event) => `data: ${JSON.stringify(event)}\n\n`), 'data: [DONE]\n\n'];
  return { method: 'POST', path, status: 200, headers, pieces };
}

const choice = { index: 0, content: 'Hi', logprobs: tokens, finishReason: 'stop', tokenIds: ids };
const call = { id: 'call_1', name: 'weather', arguments: '{}' };
const text = { index: 0, text: 'Hi', logprobs: tokens, tokenIds: ids, promptTokenIds: [1, 2] };

describe('the shapes that mocks use are those of the real vLLM', () => {
  it.each([
    [
      'a reply',
      whole('/v1/chat/completions', vllmChat(head, [choice], { ...counts, promptTokenIds: [1, 2] })),
    ],
    [
      'a reply with a call',
      whole(
        '/v1/chat/completions',
        vllmChat(head, [{ ...choice, content: null, toolCalls: [call] }], { ...counts, promptTokenIds: [1] }),
      ),
    ],
    [
      'a stream',
      stream('/v1/chat/completions', [
        vllmChatStart(head, { index: 0, promptTokenIds: [1, 2] }),
        vllmChatStart(head, { index: 1 }),
        vllmChatEvent(head, { index: 0, delta: { content: 'Hi' }, logprobs: tokens, tokenIds: ids }),
        vllmChatEvent(head, { index: 0, delta: vllmCallStart(0, 'c', 'f'), logprobs: tokens, tokenIds: ids }),
        vllmChatEvent(head, { index: 0, delta: vllmCallPiece(0, '{}'), logprobs: tokens, tokenIds: ids }),
        vllmChatEvent(head, { index: 0, delta: {}, logprobs: tokens, tokenIds: ids, finishReason: 'stop' }),
        vllmUsageEvent(head, 'chat.completion.chunk', 2, 2),
      ]),
    ],
    [
      'a completion',
      whole('/v1/completions', vllmCompletion(head, [{ ...text, finishReason: 'stop' }], counts)),
    ],
    [
      'a stream of completions',
      stream('/v1/completions', [
        vllmCompletionEvent(head, { ...text, finishReason: null }),
        vllmCompletionEvent(head, { ...text, finishReason: 'stop', promptTokenIds: null }),
        vllmUsageEvent(head, 'text_completion', 2, 2),
      ]),
    ],
    ['a refusal', whole('/v1/chat/completions', vllmError(400, 'no'), 400)],
    ['a model that is not there', whole('/v1/chat/completions', vllmError(404, 'no', 'model'), 404)],
    ['the models', whole('/v1/models', vllmModels('m'))],
  ])('%s', (_name, exchange) => {
    expect(differencesFromVllm(exchange)).toEqual([]);
  });
});

it('everything recorded is in the dialect, and what is not is named', () => {
  const exchanges = readVllmRecording().flatMap((recorded) => recorded.exchanges);
  expect(exchanges.flatMap(differencesFromVllm)).toEqual([]);
  const body = { ...vllmError(400, 'no'), more: 1 };
  expect(differencesFromVllm(whole('/v1/chat/completions', body, 400))).toEqual([
    'error 400 body: {error, more}, vLLM has {error}',
  ]);
  expect(differencesFromVllm(whole('/nowhere', {}))).toEqual(['/nowhere: was never recorded']);
});

import { expect, it } from 'vitest';
import { readProductionAnswer } from './production-answer.ts';

const stream = (...events: readonly string[]): string => events.map((data) => `data: ${data}\n\n`).join('');

it.each<[what: string, body: string, result: unknown]>([
  ['JSON', '{"response":"yes"}', { response: 'yes' }],
  ['a JSON text', '"yes"', 'yes'],
  ['plain text', 'The answer is 42.', { response: 'The answer is 42.' }],
  ['one object as an event', stream('{"response":"yes"}'), { response: 'yes' }],
])('reads %s', (_what, body, result) => {
  expect(readProductionAnswer(body)).toEqual(result);
});

it.each<[what: string, body: string]>([
  ['texts as they are', stream('You ', 'said ', 'hi')],
  ['texts as JSON', stream('"You "', '"said "', '"hi"')],
  ['members', stream('{"text":"You "}', '{"text":"said "}', '{"text":"hi"}')],
  [
    'deltas of the AI SDK',
    `${stream('{"type":"start"}', '{"type":"text-delta","delta":"You said "}', '{"type":"text-delta","delta":"hi"}')}data: [DONE]\n\n`,
  ],
  [
    'events of Bedrock',
    stream(
      '{"event":{"messageStart":{"role":"assistant"}}}',
      '{"event":{"contentBlockDelta":{"delta":{"text":"You said "}}}}',
      '{"event":{"contentBlockDelta":{"delta":{"text":"hi"}}}}',
    ),
  ],
  [
    'chunks of OpenAI',
    stream(
      '{"choices":[{"delta":{"role":"assistant"}}]}',
      '{"choices":[{"delta":{"content":"You said "}}]}',
      '{"choices":[{"delta":{"content":"hi"}}]}',
    ),
  ],
  ['lines of Windows, a comment, no blank line at the end', ': open\r\n\r\ndata: You said \r\n\r\ndata: hi'],
])('joins %s', (_what, body) => {
  expect(readProductionAnswer(body)).toMatchObject({ response: 'You said hi' });
});

it('keeps the events beside the text', () => {
  expect(readProductionAnswer(stream('{"tool":"add"}', '{"text":"3"}'))).toEqual({
    response: '3',
    events: [{ tool: 'add' }, { text: '3' }],
  });
});

it.each([
  ['an event named error', 'data: {"text":"a"}\n\nevent: error\ndata: {"message":"no key"}\n\n'],
  ['a member error', stream('{"text":"a"}', '{"error":"no key"}')],
  ['the type error', stream('{"type":"error","errorText":"no key"}', '{"type":"finish"}')],
])('takes %s for a failure of the agent', (_what, body) => {
  expect(readProductionAnswer(body)).toEqual({ status_code: 500, stop_reason: 'no key' });
});

it.each(['', ' \n', '<!DOCTYPE html><p>Bad gateway', '{"a":', ': nothing\n\n'])('refuses %j', (body) => {
  expect(() => readProductionAnswer(body)).toThrowError(
    expect.objectContaining({ code: 'ART_INVALID_REPLY' }) as Error,
  );
});

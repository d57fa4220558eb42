import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AnswerStream, type AnswerEvent } from './answer-stream.ts';
import type { ChatSpeech, ChatToolCall } from './chat-reply.ts';

function speech(said: Partial<ChatSpeech>): ChatSpeech {
  return { reasoning: '', text: '', refusal: '', toolCalls: [], logprobs: undefined, ...said };
}

function fragment(index: number | undefined, args: string, id?: string, name?: string): ChatSpeech {
  const call: ChatToolCall = { index, id, name, arguments: args };
  return speech({ toolCalls: [call] });
}

/** A reader's view of the events; throws where they are not strictly one after another. */
function read(events: readonly AnswerEvent[]): string[] {
  const parts: string[] = [];
  let open: string | undefined;
  for (const event of events) {
    if (event.event === 'open') {
      if (open !== undefined) throw new Error('two parts are open');
      open = event.kind === 'call' ? `call ${event.callId} ${event.name} ` : `${event.kind} `;
    } else {
      if (open === undefined) throw new Error('no part is open');
      if (event.event === 'delta') open += event.text;
      else {
        parts.push(open);
        open = undefined;
      }
    }
  }
  if (open !== undefined) throw new Error('a part was left open');
  return parts;
}

function play(deltas: readonly ChatSpeech[]): string[] {
  const stream = new AnswerStream(() => 'new');
  return read([...deltas.flatMap((delta) => stream.push(delta)), ...stream.finish()]);
}

describe('AnswerStream', () => {
  it('tells what was said within a call behind it, before what was said later', () => {
    expect(
      play([
        fragment(0, '{', 'a', 'f'),
        speech({ text: 'one ' }),
        fragment(0, '}'),
        speech({ text: 'two' }),
        fragment(1, '{', 'b', 'g'),
        speech({ reasoning: 'three' }),
        fragment(2, '{}', 'c', 'h'),
        fragment(1, '}'),
      ]),
    ).toEqual(['call a f {}', 'text one two', 'call b g {}', 'reasoning three', 'call c h {}']);
  });

  it('tells calls apart that all have the same index', () => {
    expect(
      play([
        fragment(0, '{"x":1}', 'a', 'f'),
        fragment(0, '{', 'b', 'f'),
        fragment(0, '}'),
        fragment(0, '{}', 'c', 'g'),
        fragment(1, '[]', 'd', 'h'),
      ]),
    ).toEqual(['call a f {"x":1}', 'call b f {}', 'call c g {}', 'call d h []']);
  });

  it('tells every delta at once in the usual order', () => {
    const stream = new AnswerStream(() => 'new');
    expect(stream.push(speech({ text: 'a' }))).toEqual([
      { event: 'open', kind: 'text' },
      { event: 'delta', text: 'a', logprobs: undefined },
    ]);
    expect(stream.push(fragment(0, '{', 'c1', 'f'))).toEqual([
      { event: 'close' },
      { event: 'open', kind: 'call', callId: 'c1', name: 'f' },
      { event: 'delta', text: '{' },
    ]);
    expect(stream.push(fragment(0, '}'))).toEqual([{ event: 'delta', text: '}' }]);
    expect(stream.push(fragment(1, '', 'c2', 'g'))).toEqual([
      { event: 'close' },
      { event: 'open', kind: 'call', callId: 'c2', name: 'g' },
    ]);
    expect(stream.finish()).toEqual([{ event: 'close' }]);
  });

  it('puts calls in order whose fragments come in turns', () => {
    expect(
      play([
        fragment(0, '{"a"', 'c1', 'f'),
        fragment(1, '{"b"', 'c2', 'g'),
        speech({ text: 'meanwhile' }),
        fragment(0, ':1}'),
        fragment(1, ':2}'),
      ]),
    ).toEqual(['call c1 f {"a":1}', 'text meanwhile', 'call c2 g {"b":2}']);
  });

  it('waits for a name, makes up an id, and numbers calls that have no index', () => {
    expect(play([fragment(0, '{'), fragment(0, '}', undefined, 'f')])).toEqual(['call call_new f {}']);
    expect(
      play([
        fragment(undefined, '{', 'c1', 'f'),
        fragment(undefined, '}'),
        fragment(undefined, '{}', 'c2', 'f'),
      ]),
    ).toEqual(['call c1 f {}', 'call c2 f {}']);
  });

  it('keeps a call together whose id comes with every fragment and whose index is left out', () => {
    expect(
      play([
        fragment(undefined, '{', 'c1', 'f'),
        fragment(undefined, '{', 'c2', 'g'),
        fragment(undefined, '}', 'c1'),
        fragment(undefined, '}', 'c2'),
      ]),
    ).toEqual(['call c1 f {}', 'call c2 g {}']);
  });

  it('loses nothing however the fragments of several calls are shuffled together', () => {
    const args = fc.array(
      fc.json({ maxDepth: 1 }).map((text) => `{"v":${text}}`),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(
        args,
        fc.array(fc.nat({ max: 3 }), { maxLength: 40 }),
        fc.integer({ min: 1, max: 5 }),
        (calls, turns, size) => {
          const rest = [...calls];
          const named = new Set<number>();
          const deltas: ChatSpeech[] = [];
          const send = (index: number, length: number): void => {
            const text = rest[index];
            if (text === undefined || (text === '' && named.has(index))) return;
            rest[index] = text.slice(length);
            deltas.push(
              named.has(index)
                ? fragment(index, text.slice(0, length))
                : fragment(index, text.slice(0, length), `c${index}`, 'f'),
            );
            named.add(index);
          };
          for (const index of turns) send(index, size);
          for (const index of calls.keys()) send(index, Number.POSITIVE_INFINITY);
          const told = play(deltas);
          expect(told.toSorted()).toEqual(calls.map((text, index) => `call c${index} f ${text}`).toSorted());
        },
      ),
    );
  });
});

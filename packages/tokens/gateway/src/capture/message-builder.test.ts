import { describe, expect, it } from 'vitest';
import { JsonScanner } from '../json-bytes/json-scanner.ts';
import { MessageBuilder } from './message-builder.ts';
import { readDelta } from './read-delta.ts';

function build(...deltas: object[]): unknown {
  const builder = new MessageBuilder();
  for (const value of deltas) {
    const delta = readDelta(new JsonScanner(Buffer.from(JSON.stringify(value))));
    if (delta !== undefined) builder.add(delta);
  }
  return JSON.parse(builder.toJson());
}

function calls(...pieces: object[]): unknown {
  const message = build(...pieces.map((piece) => ({ tool_calls: [piece] }))) as { tool_calls: unknown };
  return message.tool_calls;
}

describe('MessageBuilder', () => {
  it('says that an answer without content has none', () => {
    expect(build({})).toEqual({ role: 'assistant', content: null });
    expect(build({ role: 'assistant', content: '' })).toEqual({ role: 'assistant', content: '' });
  });

  it('does not double a role or a tool call’s head that is sent with every piece', () => {
    expect(build({ role: 'assistant', content: 'a' }, { role: 'assistant', content: 'b' })).toEqual({
      role: 'assistant',
      content: 'ab',
    });
    const head = { index: 0, id: 'x', type: 'function' };
    expect(
      calls(
        { ...head, function: { name: 'add', arguments: '{' } },
        { ...head, function: { name: 'add', arguments: '}' } },
        { index: 0, id: '', type: null, function: { name: null, arguments: '' } },
      ),
    ).toEqual([{ id: 'x', type: 'function', function: { name: 'add', arguments: '{}' } }]);
  });

  it('joins a name that comes in pieces', () => {
    expect(
      calls({ index: 0, id: 'x', function: { name: 'get_' } }, { index: 0, function: { name: 'weather' } }),
    ).toEqual([{ id: 'x', type: 'function', function: { name: 'get_weather', arguments: '' } }]);
  });

  it('tells calls apart by their ids where the engine gives no index', () => {
    expect(
      calls(
        { id: 'a', function: { name: 'one', arguments: '1' } },
        { function: { arguments: '2' } },
        { id: 'b', function: { name: 'two', arguments: '3' } },
        { id: 'a', function: { arguments: '4' } },
      ),
    ).toEqual([
      { id: 'a', type: 'function', function: { name: 'one', arguments: '124' } },
      { id: 'b', type: 'function', function: { name: 'two', arguments: '3' } },
    ]);
  });

  it('tells calls apart by their ids where the engine gives all of them the same index', () => {
    const head = (id: string, name: string, args: string): object => ({
      index: 0,
      id,
      type: 'function',
      function: { name, arguments: args },
    });
    expect(
      calls(
        head('a', 'f', '{"x":1}'),
        head('b', 'f', '{'),
        { index: 0, function: { arguments: '}' } },
        head('c', 'g', ''),
        { index: 1, id: 'd', function: { name: 'h', arguments: '{}' } },
      ),
    ).toEqual([
      { id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":1}' } },
      { id: 'b', type: 'function', function: { name: 'f', arguments: '{}' } },
      { id: 'c', type: 'function', function: { name: 'g', arguments: '' } },
      { id: 'd', type: 'function', function: { name: 'h', arguments: '{}' } },
    ]);
  });

  it('keeps the older function call, custom calls and members of vendors', () => {
    expect(
      build({ function_call: { name: 'f', arguments: '{' } }, { function_call: { arguments: '}' } }),
    ).toEqual({
      role: 'assistant',
      content: null,
      function_call: { name: 'f', arguments: '{}' },
    });
    expect(
      calls(
        { index: 0, id: 'a', type: 'custom', custom: { name: 'sh', input: 'l' }, extra_content: { s: 1 } },
        { index: 0, custom: { input: 's' } },
      ),
    ).toEqual([{ id: 'a', type: 'custom', extra_content: { s: 1 }, custom: { name: 'sh', input: 'ls' } }]);
  });

  it('takes names that objects have anyway for ordinary members', () => {
    expect(build({ toString: 'a', constructor: 1 }, { toString: 'b' })).toEqual({
      role: 'assistant',
      content: null,
      toString: 'ab',
      constructor: 1,
    });
  });
});

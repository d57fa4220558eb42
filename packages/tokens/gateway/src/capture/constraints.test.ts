import { describe, expect, it } from 'vitest';
import { preparedCall } from './engine-replies.fixture.ts';

const schema = { type: 'object', properties: {} };
const named = { type: 'function', function: { name: 'add' } };

describe('a call is constrained', () => {
  it.each<[Record<string, unknown>, string]>([
    [{ tool_choice: 'required' }, 'tool_choice'],
    [{ tool_choice: 'any' }, 'tool_choice'],
    [{ tool_choice: named }, 'tool_choice'],
    [
      { tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [named] } } },
      'tool_choice',
    ],
    [{ function_call: { name: 'add' } }, 'function_call'],
    [{ response_format: { type: 'json_object' } }, 'response_format'],
    [{ response_format: { type: 'json_schema', json_schema: { name: 'a', schema } } }, 'response_format'],
    [{ response_format: { type: 'structural_tag', structures: [], triggers: [] } }, 'response_format'],
    [{ response_format: { type: 'regex', regex: 'a|b' } }, 'response_format'],
    [{ guided_json: schema }, 'guided_json'],
    [{ guided_regex: 'a' }, 'guided_regex'],
    [{ guided_choice: ['a', 'b'] }, 'guided_choice'],
    [{ guided_decoding_params: { guide_type: 'json' } }, 'guided_decoding_params'],
    [{ structured_outputs: { choice: ['a'] } }, 'structured_outputs'],
    [{ regex: '[0-9]+' }, 'regex'],
    [{ ebnf: 'root ::= "a"' }, 'ebnf'],
    [{ json_schema: JSON.stringify(schema) }, 'json_schema'],
    [{ structural_tag: '{}' }, 'structural_tag'],
    [{ grammar: 'root ::= "a"' }, 'grammar'],
    [{ nvext: { guided_regex: 'a' } }, 'nvext.guided_regex'],
    [{ extra_body: { guided_json: schema } }, 'extra_body.guided_json'],
    [{ logit_bias: { 5: -100 } }, 'logit_bias'],
    [{ allowed_token_ids: [1, 2] }, 'allowed_token_ids'],
  ])('by %j', (body, name) => {
    expect(preparedCall(body).constraints).toEqual([name]);
  });

  it('by what its session sets as well', () => {
    const call = preparedCall({}, { samplingParams: { guided_regex: 'a' } });
    expect(call.constraints).toEqual(['guided_regex']);
  });
});

it.each<Record<string, unknown>>([
  {},
  { tool_choice: 'auto', tools: [{ ...named, function: { name: 'add', strict: true } }] },
  { tool_choice: 'none' },
  { tool_choice: null },
  { tool_choice: { type: 'auto' } },
  { tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [named] } } },
  { response_format: { type: 'text' } },
  { response_format: null },
  { guided_json: null, guided_decoding_backend: 'xgrammar', guided_whitespace_pattern: ' ' },
  { structured_outputs: { json: null, regex: null } },
  { logit_bias: {}, bad_words: [], regex: '' },
  { temperature: 0.5, top_k: 5, stop: ['a'] },
])('a call with %j is not constrained', (body) => {
  expect(preparedCall(body).constraints).toEqual([]);
});

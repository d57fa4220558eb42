import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { reasoningFormatNames, toolFormatNames } from './tool-formats.ts';
import { TurnParser } from './turn-parser.ts';

const tools = JSON.stringify([
  {
    type: 'function',
    function: {
      name: 'get_weather',
      parameters: {
        type: 'object',
        properties: {
          city: { type: 'string' },
          days: { type: 'integer' },
          zip: { type: ['string', 'null'] },
          opts: { type: 'object' },
        },
      },
    },
  },
]);
const args = '{"city":"Zürich \\"x\\"","days":3,"ratio":1.0,"big":1152921504606846976}';
const two = [
  { name: 'get_weather', arguments: args },
  { name: 'now', arguments: '{}' },
];

/** The same two calls with some words before them, as each format writes them. */
const written: Record<string, { text: string; calls?: unknown[]; content?: string | null }> = {
  qwen: {
    text: `Let me see.\n<tool_call>\n{"name": "get_weather", "arguments": ${args}}\n</tool_call>\n<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>`,
  },
  llama3: {
    text: `Let me see.<|python_tag|>{"name": "get_weather", "parameters": ${args}}; {"name": "now", "parameters": {}}`,
  },
  kimi_k2: {
    text: `Let me see.<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>${args}<|tool_call_end|><|tool_call_begin|>functions.now:1<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>`,
    calls: [
      { id: 'functions.get_weather:0', ...two[0] },
      { id: 'functions.now:1', ...two[1] },
    ],
  },
  deepseekv3: {
    text: `Let me see.<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n\`\`\`json\n${args}\n\`\`\`<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>now\n\`\`\`json\n{}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  },
  deepseekv31: {
    text: `Let me see.<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>${args}<｜tool▁call▁end｜><｜tool▁call▁begin｜>now<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  },
  gemma4: {
    text: `Let me see.<|tool_call>call:get_weather{city:<|"|>Zürich "x"<|"|>,days:3,ratio:1.0,big:1152921504606846976}<tool_call|><|tool_call>call:now{}<tool_call|>`,
  },
  'gpt-oss': {
    text: `<|channel|>commentary<|message|>Let me see.<|end|><|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>${args}<|call|><|start|>assistant to=functions.now<|channel|>commentary json<|message|>{}<|call|>`,
  },
};

// Formats that write values as text get their types from the tool's schema.
const typed = [{ name: 'get_weather', arguments: '{"city":"5","days":3,"opts":{"a":1.0},"zip":"08001"}' }];
const writtenTyped: Record<string, string> = {
  qwen3_coder:
    'Let me see.\n<tool_call>\n<function=get_weather>\n<parameter=city>\n5\n</parameter>\n<parameter=days>\n3\n</parameter>\n<parameter=opts>\n{"a": 1.0}\n</parameter>\n<parameter=zip>\n08001\n</parameter>\n</function>\n</tool_call>',
  glm45:
    'Let me see.\n<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>5</arg_value>\n<arg_key>days</arg_key>\n<arg_value>3</arg_value>\n<arg_key>opts</arg_key>\n<arg_value>{"a": 1.0}</arg_value>\n<arg_key>zip</arg_key>\n<arg_value>08001</arg_value>\n</tool_call>',
};

describe('parallel calls with the words before them', () => {
  it.each(Object.entries(written))('%s', (toolCallParser, { text, calls = two }) => {
    expect(new TurnParser({ toolCallParser }).parse(text, { tools })).toEqual({
      content: 'Let me see.',
      reasoning: null,
      toolCalls: calls,
      illFormed: false,
    });
  });

  it.each(Object.entries(writtenTyped))('%s, typed by the schema', (toolCallParser, text) => {
    expect(new TurnParser({ toolCallParser }).parse(text, { tools })).toEqual({
      content: 'Let me see.',
      reasoning: null,
      toolCalls: typed,
      illFormed: false,
    });
  });
});

describe('malformed calls leave the whole answer as it was written', () => {
  it.each([
    ['qwen', '<think>x</think><tool_call>\n{"name": "now", "arguments": {"a": </tool_call>'],
    ['qwen', 'said </tool_call>'],
    ['qwen', '<tool_call>\n{"name": "now", "argum'],
    ['qwen', '<tool_call>{"name": "now", "arguments": 7}</tool_call>'],
    ['qwen3_coder', '<tool_call>\n<function=now>\n<parameter=a\n</function>\n</tool_call>'],
    ['qwen3_coder', '<tool_call>\nnow\n</tool_call>'],
    ['gemma4', '<|tool_call>call:now{a:<|"|>b}<tool_call|>'],
    ['gemma4', '<|tool_call>call:now{a:{b:1}<tool_call|>'],
    ['gemma4', '<|tool_call>now<tool_call|>'],
    ['glm45', '<tool_call>now<arg_key>a</arg_key></tool_call>'],
    ['llama3', '<|python_tag|>print(1)'],
    ['llama3', '{"name": "now", "parameters": {'],
    ['kimi_k2', '<|tool_calls_section_begin|>nothing<|tool_calls_section_end|>'],
    [
      'deepseekv3',
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>now\n```json\n{<｜tool▁call▁end｜>',
    ],
    ['gpt-oss', '<|channel|>commentary to=functions.now<|message|>{oops<|call|>'],
  ])('%s: %s', (toolCallParser, text) => {
    const parser = new TurnParser({
      toolCallParser,
      reasoningParser: toolCallParser === 'gpt-oss' ? 'gpt-oss' : 'qwen3',
    });
    expect(parser.parse(text, { tools })).toEqual({
      content: text,
      reasoning: null,
      toolCalls: [],
      illFormed: true,
    });
  });
});

describe('answers without calls', () => {
  it.each(toolFormatNames)('%s leaves text alone', (toolCallParser) => {
    const parser = new TurnParser({ toolCallParser });
    for (const content of ['Hello.', ' {"answer": 1} \n', '[1, 2]', 'a < b']) {
      expect(parser.parse(content, { tools })).toEqual({
        content,
        reasoning: null,
        toolCalls: [],
        illFormed: false,
      });
    }
    expect(parser.parse('', { tools }).content).toBeNull();
  });

  it('without tools in the request, nothing is taken for a call', () => {
    const { text } = written['qwen']!;
    const parser = new TurnParser({ toolCallParser: 'qwen' });
    expect(parser.parse(text)).toMatchObject({ content: text, toolCalls: [], illFormed: false });
    expect(parser.parse(text, { tools: '[ ]' })).toMatchObject({ content: text, toolCalls: [] });
    expect(parser.isActiveFor({})).toBe(false);
    expect(parser.isActiveFor({ tools })).toBe(true);
  });
});

describe('reasoning', () => {
  const qwen = new TurnParser({ reasoningParser: 'qwen3' });
  const r1 = new TurnParser({ reasoningParser: 'deepseek-r1' });

  it('is parted at its close, whoever opened it', () => {
    const parted = { content: 'Done.', reasoning: ' hm ', toolCalls: [], illFormed: false };
    expect(qwen.parse('<think>\n hm \n</think>\n\nDone.')).toEqual(parted);
    expect(qwen.parse('\n hm \n</think>\n\nDone.')).toEqual(parted);
    expect(r1.parse(' hm </think>Done.')).toEqual(parted);
    expect(qwen.parse('<think>\n\n</think>\n\nDone.')).toEqual({ ...parted, reasoning: null });
  });

  it('that was cut off is all there is', () => {
    expect(qwen.parse('<think>\nhm')).toMatchObject({ content: null, reasoning: 'hm' });
    expect(r1.parse('hm')).toMatchObject({ content: null, reasoning: 'hm' });
    expect(qwen.parse('hm', { promptEnd: '<|im_start|>assistant\n<think>\n' })).toMatchObject({
      content: null,
      reasoning: 'hm',
    });
    expect(qwen.parse('hm')).toMatchObject({ content: 'hm', reasoning: null });
  });

  it('stands before calls, too', () => {
    const parser = new TurnParser({ reasoningParser: 'qwen3', toolCallParser: 'qwen' });
    expect(parser.parse(`<think>\nhm\n</think>\n\n${written['qwen']!.text}`, { tools })).toEqual({
      content: 'Let me see.',
      reasoning: 'hm',
      toolCalls: two,
      illFormed: false,
    });
  });

  it('of Gemma 4 is its channel of thoughts', () => {
    const parser = new TurnParser({ reasoningParser: 'gemma4', toolCallParser: 'gemma4' });
    const nested = '<|tool_call>call:f{a:[1,<|"|>x, }<|"|>,{b:null}],c:{d:true},e:word}<tool_call|>';
    expect(parser.parse(`<|channel>thought\nhm\n<channel|>Done.${nested}`, { tools })).toEqual({
      content: 'Done.',
      reasoning: 'hm',
      toolCalls: [{ name: 'f', arguments: '{"a":[1,"x, }",{"b":null}],"c":{"d":true},"e":"word"}' }],
      illFormed: false,
    });
  });

  it('of gpt-oss is its analysis', () => {
    const parser = new TurnParser({ reasoningParser: 'gpt-oss', toolCallParser: 'gpt-oss' });
    const text = '<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>Done.';
    expect(parser.parse(text)).toEqual({
      content: 'Done.',
      reasoning: 'hm',
      toolCalls: [],
      illFormed: false,
    });
  });
});

it('an unknown name is refused with the names there are', () => {
  expect(() => new TurnParser({ toolCallParser: 'qwen9' })).toThrow(
    expect.objectContaining({
      code: 'ART_INVALID_OPTION',
      message: expect.stringContaining('one of qwen, qwen25, hermes') as string,
    }),
  );
  expect(() => new TurnParser({ reasoningParser: 'constructor' })).toThrow(/reasoningParser/);
});

describe('whatever a model writes', () => {
  const marks = [
    '<tool_call>',
    '</tool_call>',
    '<think>',
    '</think>',
    '<function=f>',
    '</function>',
    '<parameter=a>',
    '</parameter>',
    '<arg_key>',
    '</arg_key>',
    '<arg_value>',
    '</arg_value>',
    '<|tool_call>',
    'call:f{',
    '<|"|>',
    '<tool_call|>',
    '<|channel>thought',
    '<channel|>',
    '<|python_tag|>',
    '{"name": "f", "arguments": {}}',
    '{"name":',
    '{',
    '}',
    '[',
    ']',
    'f(',
    'f(a=1)',
    ')',
    ';',
    ',',
    '<|channel|>',
    'final',
    'analysis',
    'commentary to=functions.f',
    '<|message|>',
    '<|end|>',
    '<|call|>',
    '<|start|>',
    '<|tool_calls_section_begin|>',
    '<|tool_calls_section_end|>',
    '<|tool_call_begin|>',
    '<|tool_call_end|>',
    '<|tool_call_argument_begin|>',
    'functions.f:0',
    '<｜tool▁calls▁begin｜>',
    '<｜tool▁calls▁end｜>',
    '<｜tool▁call▁begin｜>',
    '<｜tool▁call▁end｜>',
    '<｜tool▁sep｜>',
    '```json\n',
    '\n```',
    '\n',
    ' ',
    '"',
    "'",
    '\\',
  ];
  const word = fc.integer({ min: 0, max: 999 }).map((number) => `w${number}q`);
  const answer = fc.array(fc.oneof(fc.constantFrom(...marks), word, fc.string()), { maxLength: 14 });

  it.each([
    [
      'qwen3_coder',
      '<tool_call>\n<function=f>\n<parameter=a>\none\n<parameter=a>\ntwo\n</function>\n</tool_call>',
    ],
    [
      'glm',
      '<tool_call>f\n<arg_key>a</arg_key><arg_value>one</arg_value><arg_key>a</arg_key><arg_value>two</arg_value></tool_call>',
    ],
    ['gemma4', '<|tool_call>call:f{a:<|"|>one<|"|>,a:<|"|>two<|"|>}<tool_call|>'],
  ])('%s keeps both values of a parameter that comes twice', (toolCallParser, text) => {
    const turn = new TurnParser({ toolCallParser }).parse(text, { tools });
    expect(turn).toMatchObject({ content: text, toolCalls: [], illFormed: true });
  });

  it.each(toolFormatNames)('%s never throws and loses no word', (toolCallParser) => {
    fc.assert(
      fc.property(answer, fc.constantFrom(undefined, ...reasoningFormatNames), (parts, reasoningParser) => {
        const text = parts.join('');
        const turn = new TurnParser({ toolCallParser, reasoningParser }).parse(text, { tools });
        const kept = JSON.stringify(turn);
        for (const found of text.match(/w\d+q/g) ?? []) expect(kept).toContain(found);
        if (turn.illFormed) expect(turn).toMatchObject({ content: text, toolCalls: [] });
        for (const call of turn.toolCalls) expect(JSON.parse(call.arguments)).toBeTypeOf('object');
      }),
      { numRuns: 300 },
    );
  });
});

describe('a whole answer', () => {
  const parser = new TurnParser({ toolCallParser: 'llama3', reasoningParser: 'qwen3' });
  const tools = '[{"type":"function","function":{"name":"f"}}]';

  it('keeps a mark that opens reasoning once more', () => {
    expect(parser.parse('<think><think>hm</think>So.').reasoning).toBe('<think>hm');
    expect(parser.parse('<think><think>hm').reasoning).toBe('<think>hm');
  });

  it('has no blanks around what is said beside a call', () => {
    const { content, toolCalls } = parser.parse(' So.\n<|python_tag|>{"name": "f", "parameters": {}} ', {
      tools,
    });
    expect([content, toolCalls.length]).toEqual(['So.', 1]);
  });
});

import { describe, expect, it } from 'vitest';
import { ToolSchemas } from './tool-schemas.ts';
import { TurnParser } from './turn-parser.ts';

const parameters = {
  type: 'object',
  properties: {
    from: { type: 'string', pattern: '^[0-9]{5}$' },
    to: { $ref: '#/properties/from' },
    via: { $ref: '#/$defs/zip' },
    deep: { $ref: '#/$defs/again' },
    all: { allOf: [{ $ref: '#/$defs/zip' }, { minLength: 5 }] },
    bounded: { allOf: [{ type: ['string', 'integer'] }, { type: 'integer' }] },
    any: { anyOf: [{ $ref: '#/$defs/zip' }, { type: 'null' }] },
    one: { oneOf: [{ const: '1' }, { const: '2' }] },
    code: { const: '007' },
    level: { enum: ['1', '2'] },
    count: { enum: [1, 2] },
    mixed: { enum: ['1', 2, null] },
    pattern: { pattern: '^0' },
    whole: { type: 'number', enum: [1, 2] },
    loop: { $ref: '#/$defs/loop' },
    lost: { $ref: '#/$defs/none' },
    odd: { $ref: '#/$defs/a~1b%20c' },
    maybe: { type: 'string', nullable: true },
    list: { items: { type: 'string' } },
  },
  $defs: {
    zip: { type: 'string' },
    again: { $ref: '#/$defs/zip' },
    loop: { anyOf: [{ $ref: '#/$defs/loop' }, { type: 'boolean' }] },
    'a/b c': { type: 'integer' },
  },
};
const tool = (schema: object): string =>
  JSON.stringify([{ type: 'function', function: { name: 'send', parameters: schema } }]);
const tools = tool(parameters);

describe('ToolSchemas', () => {
  it.each<[string, string[]]>([
    ['from', ['string']],
    ['to', ['string']],
    ['via', ['string']],
    ['deep', ['string']],
    ['all', ['string']],
    ['bounded', ['integer']],
    ['any', ['string', 'null']],
    ['one', ['string']],
    ['code', ['string']],
    ['level', ['string']],
    ['count', ['integer']],
    ['mixed', ['string', 'integer', 'null']],
    ['pattern', ['string']],
    ['whole', ['integer']],
    ['loop', ['boolean']],
    ['lost', []],
    ['odd', ['integer']],
    ['maybe', ['string', 'null']],
    ['list', ['array']],
    ['unknown', []],
  ])('knows the types of %s', (name, types) => {
    expect([...new ToolSchemas(tools).typesOf('send', name)]).toEqual(types);
  });

  it.each([
    [{ $ref: '#/definitions/Send', definitions: { Send: { properties: { to: { type: 'string' } } } } }],
    [{ allOf: [{ properties: { to: { type: 'string' } } }, { properties: { cc: {} } }] }],
    [{ anyOf: [{ properties: { to: { type: 'string' } } }, { properties: { id: {} } }] }],
    [{ $ref: '#', properties: { to: { type: 'string' } } }],
  ])('finds a parameter in %j', (schema) => {
    expect([...new ToolSchemas(tool(schema)).typesOf('send', 'to')]).toEqual(['string']);
  });
});

const xml = (values: Record<string, string>): string =>
  `<tool_call>\n<function=send>\n${Object.entries(values)
    .map(([key, value]) => `<parameter=${key}>\n${value}\n</parameter>\n`)
    .join('')}</function>\n</tool_call>`;
const glm = (values: Record<string, string>): string =>
  `<tool_call>send\n${Object.entries(values)
    .map(([key, value]) => `<arg_key>${key}</arg_key>\n<arg_value>${value}</arg_value>\n`)
    .join('')}</tool_call>`;
const gemma = (values: Record<string, string>): string =>
  `<|tool_call>call:send{${Object.entries(values)
    .map(([key, value]) => `${key}:${value}`)
    .join(',')}}<tool_call|>`;

describe('TurnParser', () => {
  it.each([
    ['qwen3_coder', xml],
    ['glm45', glm],
    ['gemma4', gemma],
  ] as const)('gives arguments of %s the types of their schema', (toolCallParser, write) => {
    const values = {
      to: '80331',
      via: '02134',
      all: '12345',
      one: '1',
      level: '2',
      count: '2',
      code: '007',
      any: 'null',
    };
    const { toolCalls, illFormed } = new TurnParser({ toolCallParser }).parse(write(values), { tools });
    expect(illFormed).toBe(false);
    expect(toolCalls).toEqual([
      {
        name: 'send',
        arguments:
          '{"to":"80331","via":"02134","all":"12345","one":"1","level":"2","count":2,"code":"007","any":null}',
      },
    ]);
  });

  it.each(['02134', '+5', '1.', '-01', '.5', '1e'])('marks %s of gemma4, which is no JSON', (word) => {
    const text = gemma({ unknown: word });
    expect(new TurnParser({ toolCallParser: 'gemma4' }).parse(text, { tools })).toMatchObject({
      content: text,
      toolCalls: [],
      illFormed: true,
    });
  });

  const inner =
    'a </tool_call> </function> } ] <tool_call|> <|tool_call_end|> <|tool_calls_section_end|> <｜tool▁call▁end｜> <｜tool▁calls▁end｜> <|call|> <|end|>';
  const json = JSON.stringify({ note: inner, list: [inner], quote: 'say "</tool_call>"' });
  const call = { name: 'send', arguments: json };
  it.each<[string, string, string]>([
    ['qwen', `<tool_call>\n{"name": "send", "arguments": ${json}}\n</tool_call>`, '\n'],
    [
      'kimi_k2',
      `<|tool_calls_section_begin|><|tool_call_begin|>functions.send:0<|tool_call_argument_begin|>${json}<|tool_call_end|>`,
      '',
    ],
    [
      'deepseekv31',
      `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>send<｜tool▁sep｜>${json}<｜tool▁call▁end｜>`,
      '',
    ],
    [
      'deepseekv3',
      `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>send\n\`\`\`json\n${json}\n\`\`\`<｜tool▁call▁end｜>`,
      '',
    ],
    [
      'gpt-oss',
      `<|channel|>commentary to=functions.send <|constrain|>json<|message|>${json}<|call|>`,
      '<|start|>assistant',
    ],
  ])('finds the end of a call of %s behind its JSON', (toolCallParser, text, between) => {
    const sections: Record<string, [string, string]> = {
      kimi_k2: ['<|tool_calls_section_begin|>', '<|tool_calls_section_end|>'],
      deepseekv31: ['<｜tool▁calls▁begin｜>', '<｜tool▁calls▁end｜>'],
      deepseekv3: ['<｜tool▁calls▁begin｜>', '<｜tool▁calls▁end｜>'],
    };
    const [begin, end] = sections[toolCallParser] ?? ['', ''];
    const one = text.slice(begin.length);
    const { toolCalls, content, illFormed } = new TurnParser({ toolCallParser }).parse(
      begin + one + between + one + end,
      { tools },
    );
    expect({ illFormed, content }).toEqual({ illFormed: false, content: null });
    expect(toolCalls).toMatchObject([call, call]);
  });

  it.each([
    ['qwen3_coder', xml, 'a </tool_call> b </function> c </parameter> d'],
    ['glm45', glm, 'a </tool_call> b </arg_value> c'],
  ] as const)('finds the end of a value of %s by what follows it', (toolCallParser, write, value) => {
    const text = `${write({ from: value, to: '80331' })}\n${write({ to: value })}`;
    const { toolCalls } = new TurnParser({ toolCallParser }).parse(text, { tools });
    expect(toolCalls.map(({ arguments: args }) => JSON.parse(args) as unknown)).toEqual([
      { from: value, to: '80331' },
      { to: value },
    ]);
  });

  it('finds the end of a text of gemma4', () => {
    const text = gemma({ from: '<|"|>a <tool_call|> b<|"|>' }) + gemma({ to: '<|"|>c<|"|>' });
    const { toolCalls } = new TurnParser({ toolCallParser: 'gemma4' }).parse(text, { tools });
    expect(toolCalls.map(({ arguments: args }) => args)).toEqual([
      '{"from":"a <tool_call|> b"}',
      '{"to":"c"}',
    ]);
  });
});

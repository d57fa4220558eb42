import type { EngineVector } from './engine-vector.fixture.ts';

/** Formats that write calls as markup: Qwen 3 Coder, GLM. */
export const markupVectors: readonly EngineVector[] = [
  // Qwen 3 Coder.
  {
    parser: 'qwen3_coder',
    case: 'values of several lines and types',
    text: 'I see.<tool_call>\n<function=book>\n<parameter=port>\nBergen\n</parameter>\n<parameter=room>\n{"beds": 2,\n "view": "sea"}\n</parameter>\n<parameter=nights>\n3\n</parameter>\n<parameter=price>\n99.5\n</parameter>\n<parameter=sea>\ntrue\n</parameter>\n</function>\n</tool_call>',
    calls: [['book', { port: 'Bergen', room: { beds: 2, view: 'sea' }, nights: 3, price: 99.5, sea: true }]],
    content: 'I see.',
  },
  {
    parser: 'qwen3_coder',
    case: 'types that may be null',
    text: '<tool_call>\n<function=book>\n<parameter=deck>\n7\n</parameter>\n<parameter=note>\nhigh up\n</parameter>\n</function>\n</tool_call>',
    calls: [['book', { deck: 7, note: 'high up' }]],
    content: null,
  },
  {
    parser: 'qwen3_coder',
    case: 'without the outer tags',
    text: '<function=tide>\n<parameter=harbour>\nCork\n</parameter>\n</function>',
    calls: [['tide', { harbour: 'Cork' }]],
    content: null,
  },
  {
    parser: 'qwen3_coder',
    case: 'a parameter that is not closed',
    text: 'Well:\n<tool_call>\n<function=book>\n<parameter=port>\nCork\n<parameter=nights>\n2\n</parameter>\n</function>\n</tool_call>',
    calls: [['book', { port: 'Cork', nights: 2 }]],
    content: 'Well:',
  },
  ...['</parameter1>', '</parameter_port>', '</parameter'].map((mark) => ({
    parser: 'qwen3_coder',
    case: `a parameter that is closed with ${mark}`,
    text: `<tool_call>\n<function=book>\n<parameter=port>\nCork\n${mark}\n<parameter=nights>\n2\n</parameter>\n</function>\n</tool_call>`,
    calls: [['book', { port: 'Cork', nights: 2 }]] as const,
    content: null,
  })),
  {
    parser: 'qwen3_coder',
    case: 'a value that looks like markup',
    text: '<tool_call>\n<function=book>\n<parameter=port>\n<b>x</b>\n</parameters>\n</parameter>\n</function>\n</tool_call>',
    calls: [['book', { port: '<b>x</b>\n</parameters>' }]],
    content: null,
  },
  // Seed OSS.
  // GLM.
  {
    parser: 'glm45',
    case: 'indented, and after words',
    text: 'I see. <tool_call>book\n    <arg_key>port</arg_key>\n    <arg_value>Bergen</arg_value>\n    <arg_key>from</arg_key>\n    <arg_value>2025-08-01</arg_value>\n    </tool_call>',
    calls: [['book', { port: 'Bergen', from: '2025-08-01' }]],
    content: 'I see.',
  },
  {
    parser: 'glm45',
    case: 'words between two calls',
    text: 'First.\n\n<tool_call>tide\n<arg_key>harbour</arg_key>\n<arg_value>123</arg_value>\n</tool_call>\n\nThen.\n\n<tool_call>tide\n</tool_call>',
    calls: [
      ['tide', { harbour: '123' }],
      ['tide', {}],
    ],
    content: 'First.\nThen.',
  },
  {
    parser: 'glm45',
    case: 'a number in quotes, backslashes and angle brackets',
    text: '<tool_call>book\n<arg_key>nights</arg_key>\n<arg_value>"42"</arg_value>\n<arg_key>port</arg_key>\n<arg_value>D:\\maps a<b & c\nsay "hi"</arg_value>\n</tool_call>',
    calls: [['book', { nights: 42, port: 'D:\\maps a<b & c\nsay "hi"' }]],
    content: null,
  },
  {
    parser: 'glm47',
    case: 'without line breaks',
    text: '<tool_call>tide</tool_call><tool_call>book<arg_key>guests</arg_key><arg_value>[{"id": "1", "at": "C:\\\\x"}]</arg_value></tool_call>',
    calls: [
      ['tide', {}],
      ['book', { guests: [{ id: '1', at: 'C:\\x' }] }],
    ],
    content: null,
  },
  {
    parser: 'glm47',
    case: 'a list that was escaped once too often',
    text: String.raw`<tool_call>book<arg_key>guests</arg_key><arg_value>[{\"id\": \"1\"}]</arg_value></tool_call>`,
    calls: [['book', { guests: [{ id: '1' }] }]],
    content: null,
  },
  {
    parser: 'glm45',
    case: 'a call before the reasoning is closed',
    reasoningParser: 'glm45',
    text: '<think>The tide.<tool_call>tide\n<arg_key>harbour</arg_key>\n<arg_value>Hull</arg_value>\n</tool_call>',
    calls: [['tide', { harbour: 'Hull' }]],
    content: null,
    reasoning: 'The tide.',
  },
  // MiniMax.
  // Step 3.
];

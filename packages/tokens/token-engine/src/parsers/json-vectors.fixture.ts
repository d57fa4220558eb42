import type { EngineVector } from './engine-vector.fixture.ts';

/** Formats that write calls as JSON: Hermes and Qwen, Llama, Mistral. */
export const jsonVectors: readonly EngineVector[] = [
  // Hermes and Qwen.
  {
    parser: 'hermes',
    case: 'on one line, after words',
    text: 'Right away.<tool_call>{"name": "tide", "arguments": {"harbour": "Ålesund"}}</tool_call>',
    calls: [['tide', { harbour: 'Ålesund' }]],
    content: 'Right away.',
  },
  {
    parser: 'hermes',
    case: 'cut off at the end of the turn',
    text: '<tool_call>\n{"name": "tide", "arguments": {"high": true}}',
    calls: [['tide', { high: true }]],
    content: null,
  },
  {
    parser: 'qwen25',
    case: 'blanks around the object, two calls',
    text: '<tool_call>\n  {"name": "tide", "arguments": {}}  \n</tool_call>\n<tool_call>\n{"name": "book", "arguments": {"nights": 2}}\n</tool_call>',
    calls: [
      ['tide', {}],
      ['book', { nights: 2 }],
    ],
    content: null,
  },
  {
    parser: 'hermes',
    case: 'arguments that are a text with the object in it',
    text: '<tool_call>\n{"name": "tide", "arguments": "{\\"harbour\\": \\"Kiel\\"}"}\n</tool_call>',
    calls: [['tide', { harbour: 'Kiel' }]],
    content: null,
  },
  {
    parser: 'qwen',
    case: 'a call before the reasoning is closed',
    reasoningParser: 'qwen3',
    text: '<think>\nThe tide, then.\n<tool_call>\n{"name": "tide", "arguments": {"harbour": "Brest"}}\n</tool_call>',
    calls: [['tide', { harbour: 'Brest' }]],
    content: null,
    reasoning: 'The tide, then.',
  },
  {
    parser: 'qwen',
    case: 'a mark that the reasoning only speaks of',
    reasoningParser: 'qwen3',
    text: '<think>\nNo <tool_call> needed.\n</think>\n\nHigh water is at six.',
    calls: [],
    content: 'High water is at six.',
    reasoning: 'No <tool_call> needed.',
  },
  // Llama.
  {
    parser: 'llama3_json',
    case: 'arguments by their other name',
    text: '{"name": "tide", "arguments": {"harbour": "Hull"}}',
    calls: [['tide', { harbour: 'Hull' }]],
    content: null,
  },
  ...['; ', ';', ';\n', '\n', ' ; '].map((separator) => ({
    parser: 'llama3_json',
    case: `calls separated by ${JSON.stringify(separator)}`,
    text: `{"name": "tide", "parameters": {"harbour": "a {b} [c]"}}${separator}{"name": "book", "parameters": {"room": {"a": {"b": {"c": 1}}}}}`,
    calls: [
      ['tide', { harbour: 'a {b} [c]' }],
      ['book', { room: { a: { b: { c: 1 } } } }],
    ] as const,
    content: null,
  })),
  {
    parser: 'llama3',
    case: 'braces in the words after it',
    text: '{"name": "tide", "parameters": {"harbour": "Hull"}} I used {tide} for this.',
    calls: [['tide', { harbour: 'Hull' }]],
    content: 'I used {tide} for this.',
  },
  {
    parser: 'llama3',
    case: 'an object in the words after it',
    text: '{"name": "tide", "parameters": {"harbour": "Hull"}} With {"harbour": "Hull"}',
    calls: [['tide', { harbour: 'Hull' }]],
    content: 'With {"harbour": "Hull"}',
  },
  {
    parser: 'llama3',
    case: 'after its tag',
    text: 'Let me look. <|python_tag|>{"name": "tide", "arguments": {"harbour": "Hull"}};{"name": "book", "arguments": {"nights": 1}}',
    calls: [
      ['tide', { harbour: 'Hull' }],
      ['book', { nights: 1 }],
    ],
    content: 'Let me look.',
  },
  {
    parser: 'llama3_json',
    case: 'an object that is the answer',
    text: '{"name": "Hull"}',
    calls: [],
    content: '{"name": "Hull"}',
  },
  {
    parser: 'llama3_json',
    case: 'an object without a name',
    text: '{"parameters": {}}',
    calls: [],
    content: '{"parameters": {}}',
  },
  // Mistral.
];

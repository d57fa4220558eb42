import type { EngineVector } from './engine-vector.fixture.ts';
import { kimi, fenced, deepseek } from './vector-writers.fixture.ts';

/** Formats with their own tokens: Kimi K2, DeepSeek, gpt-oss. */
export const tokenVectors: readonly EngineVector[] = [
  // Kimi K2.
  {
    parser: 'kimi_k2',
    case: 'several, some without the prefix',
    text: `Two things. ${kimi(
      ['functions.tide:0', '{"harbour": "<b>Hull</b>"}'],
      ['book:1', '{\n  "nights": 2\n}'],
      ['functions.mcp__sea__list-boats:2', '{}'],
    )}`,
    calls: [
      ['tide', { harbour: '<b>Hull</b>' }, 'functions.tide:0'],
      ['book', { nights: 2 }, 'book:1'],
      ['mcp__sea__list-boats', {}, 'functions.mcp__sea__list-boats:2'],
    ],
    content: 'Two things.',
  },
  {
    parser: 'kimi_k2',
    case: 'a bare number, told by its arguments',
    text: kimi(['0', '{"harbour": "Hull"}']),
    calls: [['tide', { harbour: 'Hull' }, '0']],
    content: null,
  },
  {
    parser: 'kimi_k2',
    case: 'the section in the singular',
    text: '<|tool_call_section_begin|><|tool_call_begin|>functions.tide:0<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_call_section_end|>',
    calls: [['tide', {}, 'functions.tide:0']],
    content: null,
  },
  {
    parser: 'kimi_k2',
    case: 'a call before the reasoning is closed',
    reasoningParser: 'kimi_k2',
    text: `<think>Let me look...${kimi(['functions.tide:0', '{}'])}`,
    calls: [['tide', {}, 'functions.tide:0']],
    content: null,
    reasoning: 'Let me look...',
  },
  // DeepSeek.
  {
    parser: 'deepseek_v3',
    case: 'all types, two calls separated by a line break',
    text: `Let me see.${deepseek(
      `${fenced('book', '{"s": "a \\"b\\" C:\\\\x", "n": null, "l": [], "o": {}}')}\n`,
      fenced('tide', '{}'),
    )}`,
    calls: [
      ['book', { s: 'a "b" C:\\x', n: null, l: [], o: {} }],
      ['tide', {}],
    ],
    content: 'Let me see.',
  },
  {
    parser: 'deepseek_v31',
    case: 'words on both sides',
    text: `some before${deepseek(
      '<｜tool▁call▁begin｜>tide<｜tool▁sep｜>{"x":1}<｜tool▁call▁end｜>',
      '<｜tool▁call▁begin｜>book<｜tool▁sep｜>{"y":2}<｜tool▁call▁end｜>',
    )} some after`,
    calls: [
      ['tide', { x: 1 }],
      ['book', { y: 2 }],
    ],
    content: 'some before\nsome after',
  },
  {
    parser: 'deepseekv31',
    case: 'without the outer tags',
    text: 'Let me see.\n<｜tool▁call▁begin｜>tide<｜tool▁sep｜>{"harbour": "Hull"}<｜tool▁call▁end｜>',
    calls: [['tide', { harbour: 'Hull' }]],
    content: 'Let me see.',
  },
  // gpt-oss.
  {
    parser: 'gpt-oss',
    case: 'calls with and without a content type, and one without arguments',
    reasoningParser: 'gpt-oss',
    text: '<|channel|>analysis<|message|>Two calls.<|end|><|start|>assistant<|channel|>commentary to=functions.tide <|constrain|>json<|message|>{\n"harbour": "Hull"\n}<|call|><|start|>assistant<|channel|>commentary to=functions.book<|message|>{"nights": 1}<|call|><|start|>assistant<|channel|>commentary to=functions.tide <|constrain|>json<|message|><|call|>',
    calls: [
      ['tide', { harbour: 'Hull' }],
      ['book', { nights: 1 }],
      ['tide', {}],
    ],
    content: null,
    reasoning: 'Two calls.',
  },
  {
    parser: 'gpt-oss',
    case: 'a call and a last word',
    reasoningParser: 'gpt-oss',
    text: '<|channel|>commentary to=functions.tide <|constrain|>json<|message|>{}<|call|><|start|>assistant<|channel|>final<|message|>This gets the tide.',
    calls: [['tide', {}]],
    content: 'This gets the tide.',
  },
];

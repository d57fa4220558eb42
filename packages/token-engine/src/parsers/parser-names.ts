import { ArtError, describeValue } from '@art/protocol';

import { deepseekTools } from './deepseek-tools.ts';
import { functionXmlTools } from './function-xml-tools.ts';
import { glmTools } from './glm-tools.ts';
import { invokeXmlTools } from './invoke-xml-tools.ts';
import { jsonCalls } from './json-call.ts';
import { kimiTools } from './kimi-tools.ts';
import { llamaTools, llamaToolsAnywhere } from './llama-tools.ts';
import { mistralTools } from './mistral-tools.ts';
import { pythonicTools } from './pythonic-tools.ts';
import { taggedFormat } from './tagged-format.ts';
import type { ToolFormat } from './tool-parser.ts';
import type { ReasoningFormat } from './turn-stream.ts';

/** gpt-oss marks reasoning and calls in one format, which is parsed at once. */
export type NamedToolParser = ToolFormat | 'harmony';
export type NamedReasoningParser = ReasoningFormat | 'harmony';

/** `<tool_call>{"name": ..., "arguments": {...}}</tool_call>`. */
const hermes = taggedFormat({
  section: ['<tool_call>', '</tool_call>'],
  read: (body) => jsonCalls(body.trim()),
});
const coder = functionXmlTools('tool_call');
const dsml = invokeXmlTools({
  section: ['<｜DSML｜function_calls>', '</｜DSML｜function_calls>'],
  prefix: '｜DSML｜',
});
const minimax = invokeXmlTools({ section: ['<minimax:tool_call>', '</minimax:tool_call>'], prefix: '' });
const step = invokeXmlTools({
  section: ['<｜tool_calls_begin｜>', '<｜tool_calls_end｜>'],
  prefix: 'steptml:',
  // Its kind, and now and then its name, stand before a call.
  filler: /<｜tool_call_begin｜>|function<｜tool_sep｜>[\w.-]*|<｜tool_sep｜>|<｜tool_call_end｜>/g,
});

// The names of SGLang first, then those of vLLM for the same formats.
const toolParsers: ReadonlyMap<string, NamedToolParser> = new Map<string, NamedToolParser>([
  ['qwen', hermes],
  ['qwen25', hermes],
  ['hermes', hermes],
  ['qwen3_coder', coder],
  ['qwen3_xml', coder],
  ['seed_oss', functionXmlTools('seed:tool_call')],
  ['llama3', llamaTools],
  ['llama3_json', llamaToolsAnywhere],
  ['llama4', pythonicTools],
  ['llama4_pythonic', pythonicTools],
  ['llama4_json', llamaToolsAnywhere],
  ['pythonic', pythonicTools],
  ['mistral', mistralTools],
  ['glm', glmTools],
  ['glm45', glmTools],
  ['glm47', glmTools],
  ['gpt-oss', 'harmony'],
  ['gpt_oss', 'harmony'],
  ['openai', 'harmony'],
  ['kimi_k2', kimiTools],
  ['deepseekv3', deepseekTools],
  ['deepseek_v3', deepseekTools],
  ['deepseekv31', deepseekTools],
  ['deepseek_v31', deepseekTools],
  ['deepseekv32', dsml],
  ['deepseek_v32', dsml],
  ['minimax-m2', minimax],
  ['minimax_m2', minimax],
  ['step3', step],
]);

const think: ReasoningFormat = { open: '<think>', close: '</think>', startsInside: false };
const thinking: ReasoningFormat = { ...think, startsInside: true };
// Models that now and then call before they have closed their reasoning.
const callEnds = { impliedEnds: ['<tool_call>'] };
const deepseekEnds = { impliedEnds: ['<｜tool▁calls▁begin｜>', '<｜DSML｜function_calls>'] };

const reasoningParsers: ReadonlyMap<string, NamedReasoningParser> = new Map<string, NamedReasoningParser>([
  ['qwen3', { ...think, ...callEnds }],
  ['qwen3-thinking', { ...thinking, ...callEnds }],
  ['deepseek-r1', { ...thinking, ...deepseekEnds }],
  ['deepseek_r1', { ...thinking, ...deepseekEnds }],
  ['deepseek-v3', { ...think, ...deepseekEnds }],
  ['deepseek_v3', { ...think, ...deepseekEnds }],
  ['glm45', { ...think, ...callEnds }],
  ['kimi_k2', { ...think, impliedEnds: ['<|tool_calls_section_begin|>', '<|tool_call_section_begin|>'] }],
  ['kimi', { open: '◁think▷', close: '◁/think▷', startsInside: false }],
  ['minimax', thinking],
  ['minimax_m2', thinking],
  ['step3', thinking],
  ['seed_oss', { open: '<seed:think>', close: '</seed:think>', startsInside: false }],
  ['mistral', { open: '[THINK]', close: '[/THINK]', startsInside: false }],
  ['gpt-oss', 'harmony'],
  ['gpt_oss', 'harmony'],
  ['openai_gptoss', 'harmony'],
]);

/** Names that `toolCallParser` takes. */
export const toolParserNames: readonly string[] = [...toolParsers.keys()];

/** Names that `reasoningParser` takes. */
export const reasoningParserNames: readonly string[] = [...reasoningParsers.keys()];

/** @throws ArtError `ART_INVALID_OPTION` listing the names there are */
export function findToolParser(name: string): NamedToolParser {
  return find('toolCallParser', toolParsers, name);
}

/** @throws ArtError `ART_INVALID_OPTION` listing the names there are */
export function findReasoningParser(name: string): NamedReasoningParser {
  return find('reasoningParser', reasoningParsers, name);
}

function find<T>(option: string, parsers: ReadonlyMap<string, T>, name: string): T {
  const parser = parsers.get(name);
  if (parser !== undefined) return parser;
  throw new ArtError({
    code: 'ART_INVALID_OPTION',
    message: `Expected ${option} to be one of ${[...parsers.keys()].join(', ')}, or engine, which leaves it to the engine; got ${describeValue(name)}.`,
  });
}

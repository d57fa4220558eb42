import { ArtError, describeValue } from '@art/protocol';

import { deepseekTools } from './deepseek-tools.ts';
import { functionXmlTools } from './function-xml-tools.ts';
import { glmTools } from './glm-tools.ts';
import { hermesTools } from './hermes-tools.ts';
import { invokeXmlTools, type InvokeXmlTags } from './invoke-xml-tools.ts';
import { kimiTools } from './kimi-tools.ts';
import { llamaCallStart, llamaTools, llamaToolsAnywhere } from './llama-tools.ts';
import { mistralTools } from './mistral-tools.ts';
import { pythonicCallStart, pythonicTools } from './pythonic-tools.ts';
import type { ToolFormat } from './tool-parser.ts';
import type { ReasoningFormat } from './turn-stream.ts';

/** gpt-oss marks reasoning and calls in one format, which is parsed at once. */
export type NamedToolParser = ToolFormat | 'harmony';
export type NamedReasoningParser = ReasoningFormat | 'harmony';

const toolCallTags = ['<tool_call>', '</tool_call>'];
const hermes: ToolFormat = { parse: hermesTools, marks: toolCallTags };
const coder: ToolFormat = {
  parse: functionXmlTools('<tool_call>', '</tool_call>'),
  marks: [...toolCallTags, '<function=', '</function>'],
};
const seed: ToolFormat = {
  parse: functionXmlTools('<seed:tool_call>', '</seed:tool_call>'),
  marks: ['<seed:tool_call>', '</seed:tool_call>', '<function=', '</function>'],
};
const llama: ToolFormat = { parse: llamaTools, marks: ['<|python_tag|>'], openingMarks: ['{'] };
const llamaJson: ToolFormat = {
  parse: llamaToolsAnywhere,
  marks: ['<|python_tag|>'],
  pattern: llamaCallStart,
};
const pythonic: ToolFormat = {
  parse: pythonicTools,
  marks: ['<|python_start|>'],
  pattern: pythonicCallStart,
};
const mistral: ToolFormat = { parse: mistralTools, marks: ['[TOOL_CALLS]'] };
const glm: ToolFormat = { parse: glmTools, marks: toolCallTags };
const kimiSections = ['<|tool_calls_section_begin|>', '<|tool_call_section_begin|>'];
const kimi: ToolFormat = {
  parse: kimiTools,
  marks: [...kimiSections, '<|tool_calls_section_end|>', '<|tool_call_section_end|>'],
};
const deepseek: ToolFormat = {
  parse: deepseekTools,
  marks: ['<｜tool▁calls▁begin｜>', '<｜tool▁calls▁end｜>', '<｜tool▁call▁begin｜>', '<｜tool▁call▁end｜>'],
};
const minimax = invokeFormat({ open: '<minimax:tool_call>', close: '</minimax:tool_call>', prefix: '' });
const dsml = invokeFormat({
  open: '<｜DSML｜function_calls>',
  close: '</｜DSML｜function_calls>',
  prefix: '｜DSML｜',
});
const step = invokeFormat({
  open: '<｜tool_calls_begin｜>',
  close: '<｜tool_calls_end｜>',
  prefix: 'steptml:',
  // Its kind, and now and then its name, stand before a call.
  filler: /<｜tool_call_begin｜>|function<｜tool_sep｜>[\w.-]*|<｜tool_sep｜>|<｜tool_call_end｜>/g,
});

function invokeFormat(tags: InvokeXmlTags): ToolFormat {
  return { parse: invokeXmlTools(tags), marks: [tags.open, tags.close] };
}

// The names of SGLang first, then those of vLLM for the same formats.
const toolParsers: ReadonlyMap<string, NamedToolParser> = new Map<string, NamedToolParser>([
  ['qwen', hermes],
  ['qwen25', hermes],
  ['hermes', hermes],
  ['qwen3_coder', coder],
  ['qwen3_xml', coder],
  ['seed_oss', seed],
  ['llama3', llama],
  ['llama3_json', llamaJson],
  ['llama4', pythonic],
  ['llama4_pythonic', pythonic],
  ['llama4_json', llamaJson],
  ['pythonic', pythonic],
  ['mistral', mistral],
  ['glm', glm],
  ['glm45', glm],
  ['glm47', glm],
  ['gpt-oss', 'harmony'],
  ['gpt_oss', 'harmony'],
  ['openai', 'harmony'],
  ['kimi_k2', kimi],
  ['deepseekv3', deepseek],
  ['deepseek_v3', deepseek],
  ['deepseekv31', deepseek],
  ['deepseek_v31', deepseek],
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
  ['kimi_k2', { ...think, impliedEnds: kimiSections }],
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

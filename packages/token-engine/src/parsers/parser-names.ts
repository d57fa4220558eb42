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
const toolParsers = byName<NamedToolParser>([
  [hermes, 'qwen', 'qwen25', 'hermes'],
  [coder, 'qwen3_coder', 'qwen3_xml'],
  [functionXmlTools('seed:tool_call'), 'seed_oss'],
  [llamaTools, 'llama3'],
  [llamaToolsAnywhere, 'llama3_json', 'llama4_json'],
  [pythonicTools, 'llama4', 'llama4_pythonic', 'pythonic'],
  [mistralTools, 'mistral'],
  [glmTools, 'glm', 'glm45', 'glm47'],
  ['harmony', 'gpt-oss', 'gpt_oss', 'openai'],
  [kimiTools, 'kimi_k2'],
  [deepseekTools, 'deepseekv3', 'deepseek_v3', 'deepseekv31', 'deepseek_v31'],
  [dsml, 'deepseekv32', 'deepseek_v32'],
  [minimax, 'minimax-m2', 'minimax_m2'],
  [step, 'step3'],
]);

const think: ReasoningFormat = { open: '<think>', close: '</think>', startsInside: false };
const thinking: ReasoningFormat = { ...think, startsInside: true };
// Models that now and then call before they have closed their reasoning.
const callEnds = { impliedEnds: ['<tool_call>'] };
const deepseekEnds = { impliedEnds: ['<｜tool▁calls▁begin｜>', '<｜DSML｜function_calls>'] };

const reasoningParsers = byName<NamedReasoningParser>([
  [{ ...think, ...callEnds }, 'qwen3', 'glm45'],
  [{ ...thinking, ...callEnds }, 'qwen3-thinking'],
  [{ ...thinking, ...deepseekEnds }, 'deepseek-r1', 'deepseek_r1'],
  [{ ...think, ...deepseekEnds }, 'deepseek-v3', 'deepseek_v3'],
  [{ ...think, impliedEnds: ['<|tool_calls_section_begin|>', '<|tool_call_section_begin|>'] }, 'kimi_k2'],
  [{ open: '◁think▷', close: '◁/think▷', startsInside: false }, 'kimi'],
  [thinking, 'minimax', 'minimax_m2', 'step3'],
  [{ open: '<seed:think>', close: '</seed:think>', startsInside: false }, 'seed_oss'],
  [{ open: '[THINK]', close: '[/THINK]', startsInside: false }, 'mistral'],
  ['harmony', 'gpt-oss', 'gpt_oss', 'openai_gptoss'],
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

function byName<T>(formats: readonly [format: T, ...names: string[]][]): ReadonlyMap<string, T> {
  return new Map(formats.flatMap(([format, ...names]) => names.map((name) => [name, format])));
}

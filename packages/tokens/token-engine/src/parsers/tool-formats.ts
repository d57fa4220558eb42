import { ArtError, describeValue } from '@art/ground';
import { deepseekTools } from './deepseek-tools.ts';
import { functionXmlTools } from './function-xml-tools.ts';
import { gemmaTools } from './gemma-tools.ts';
import { glmTools } from './glm-tools.ts';
import { endOfFirstJson, jsonCalls } from './json-call.ts';
import { kimiTools } from './kimi-tools.ts';
import { llamaTools } from './llama-tools.ts';
import { taggedFormat } from './tagged-format.ts';
import type { ReasoningFormat, ToolFormat } from './tool-parser.ts';

/** gpt-oss marks reasoning and calls in one format, which is parsed at once. */
export type NamedToolFormat = ToolFormat | 'harmony';
export type NamedReasoningFormat = ReasoningFormat | 'harmony';

/** `<tool_call>{"name": ..., "arguments": {...}}</tool_call>`. */
const hermes = taggedFormat({
  section: ['<tool_call>', '</tool_call>'],
  endOfInside: (text, from) => endOfFirstJson(text, from, '</tool_call>'),
  read: (body) => jsonCalls(body.trim()),
});

// The names of SGLang first, then those of vLLM for the same formats.
const toolFormats = byName<NamedToolFormat>([
  // Qwen3.
  [hermes, 'qwen', 'qwen25', 'hermes'],
  // Qwen3.5 to 3.8, Nemotron 3.
  [functionXmlTools('tool_call'), 'qwen3_coder', 'qwen3_xml'],
  ['harmony', 'gpt-oss', 'gpt_oss', 'openai'],
  [gemmaTools, 'gemma4'],
  [llamaTools, 'llama3', 'llama3_json'],
  [kimiTools, 'kimi_k2'],
  [deepseekTools, 'deepseekv3', 'deepseek_v3', 'deepseekv31', 'deepseek_v31'],
  [glmTools, 'glm', 'glm45', 'glm47'],
]);

const think: ReasoningFormat = { open: '<think>', close: '</think>', startsInside: false };
const thinking: ReasoningFormat = { ...think, startsInside: true };
// Models that now and then call before they have closed their reasoning.
const callEnds = { impliedEnds: ['<tool_call>'] };
const deepseekEnds = { impliedEnds: ['<｜tool▁calls▁begin｜>'] };

const reasoningFormats = byName<NamedReasoningFormat>([
  [{ ...think, ...callEnds }, 'qwen3', 'glm45', 'nemotron_3'],
  [{ ...thinking, ...callEnds }, 'qwen3-thinking'],
  ['harmony', 'gpt-oss', 'gpt_oss', 'openai_gptoss'],
  [{ open: '<|channel>thought', close: '<channel|>', startsInside: false }, 'gemma4'],
  [{ ...think, impliedEnds: ['<|tool_calls_section_begin|>', '<|tool_call_section_begin|>'] }, 'kimi_k2'],
  [{ ...thinking, ...deepseekEnds }, 'deepseek-r1', 'deepseek_r1'],
  [{ ...think, ...deepseekEnds }, 'deepseek-v3', 'deepseek_v3'],
]);

/** Names that `toolCallParser` takes. */
export const toolFormatNames: readonly string[] = [...toolFormats.keys()];

/** Names that `reasoningParser` takes. */
export const reasoningFormatNames: readonly string[] = [...reasoningFormats.keys()];

/** @throws ArtError `ART_INVALID_OPTION` listing the names there are */
export function findToolFormat(name: string): NamedToolFormat {
  return find('toolCallParser', toolFormats, name);
}

/** @throws ArtError `ART_INVALID_OPTION` listing the names there are */
export function findReasoningFormat(name: string): NamedReasoningFormat {
  return find('reasoningParser', reasoningFormats, name);
}

function find<T>(option: string, formats: ReadonlyMap<string, T>, name: string): T {
  const format = formats.get(name);
  if (format !== undefined) return format;
  throw new ArtError({
    code: 'ART_INVALID_OPTION',
    message: `Expected ${option} to be one of ${[...formats.keys()].join(', ')}; got ${describeValue(name)}.`,
  });
}

function byName<T>(formats: readonly [format: T, ...names: string[]][]): ReadonlyMap<string, T> {
  return new Map(formats.flatMap(([format, ...names]) => names.map((name) => [name, format])));
}

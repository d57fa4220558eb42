import { availableParallelism } from 'node:os';

import { aBoolean, aNumber, aText, oneOf, optional, type OptionRules, readOptions } from '@art/protocol';
import type { OpenTransport } from '@art/gateway/engine-port';

import { answerReading, samplerAndReader } from '../answers/answer-reading.ts';
import { engineRendering, engineTokenization } from '../prompts/engine-tokenization.ts';
import { LocalTokenization } from '../prompts/local-tokenization.ts';
import { SessionLineages } from '../prompts/session-lineages.ts';
import { GenerateTransport } from './generate-transport.ts';

/** Token-in/token-out instead of the engines' chat route: prompts are rendered here, the engine samples token ids. */
export interface TokenEngineOptions {
  /**
   * Whose token route is used: SGLang's `/generate`, or vLLM's `/inference/v1/generate`, for which its completions with
   * token ids stand in where it lacks that.
   */
  engine: 'sglang' | 'vllm';
  /** Folder of the model's checkpoint. Without one the engine renders and tokenises. @default undefined */
  checkpoint?: string | undefined;
  /**
   * How many threads render. Each holds the tokenizer, 150 to 300 MB with a vocabulary of 150,000.
   * @default 2, or 1 on a machine with two cores or fewer
   */
  renderThreads?: number | undefined;
  /**
   * Name of the format in which the model writes tool calls, or `engine`: the engine takes answers apart with its own parsers.
   * @default none: calls stay text. vLLM without a checkpoint takes answers apart where it can
   */
  toolCallParser?: string | undefined;
  /** Name of the format in which it marks reasoning, or `engine`. @default as `toolCallParser` */
  reasoningParser?: string | undefined;
  /** Later turns continue the tokens of earlier ones instead of rendering them anew. @default false */
  cumulative?: boolean | undefined;
  /** Longest prompt and answer together; 0 leaves it to the engine. @default 0 */
  maxContextTokens?: number | undefined;
  /** Longest answer where a call does not say. @default 4_096 */
  defaultMaxTokens?: number | undefined;
  /** How long an engine may be silent; 0 for as long as it likes. @default 900_000 */
  readTimeoutMs?: number | undefined;
}

const rules = {
  engine: oneOf('sglang', 'vllm'),
  checkpoint: optional(aText),
  renderThreads: optional(aNumber({ min: 1, max: 64, integer: true }), availableParallelism() > 2 ? 2 : 1),
  toolCallParser: optional(aText),
  reasoningParser: optional(aText),
  cumulative: optional(aBoolean, false),
  maxContextTokens: optional(aNumber({ min: 0, integer: true }), 0),
  defaultMaxTokens: optional(aNumber({ min: 1, integer: true }), 4_096),
  readTimeoutMs: optional(aNumber({ min: 0, integer: true }), 900_000),
} satisfies OptionRules<TokenEngineOptions>;

/**
 * A transport for `startGateway({ transport })`. It is opened, and the tokenizer loaded, when the gateway starts.
 * @throws ArtError `ART_INVALID_OPTION`; the gateway's start then `ART_TOKENIZER_UNREADABLE`
 */
export function tokenEngine(options: TokenEngineOptions): OpenTransport {
  const { engine, checkpoint, renderThreads, toolCallParser, reasoningParser, cumulative, ...limits } =
    readOptions('tokenEngine', options, rules);
  const hasCheckpoint = checkpoint !== undefined;
  const reading = answerReading({ engine, toolCallParser, reasoningParser, hasCheckpoint });
  return async (http) => {
    const atEngine = engine === 'vllm' ? engineRendering() : engineTokenization;
    const tokenization = hasCheckpoint ? await LocalTokenization.open(checkpoint, renderThreads) : atEngine;
    return new GenerateTransport({
      flavour: engine,
      ...samplerAndReader(engine, reading, tokenization),
      tokenization,
      lineages: cumulative ? new SessionLineages() : undefined,
      http,
      toolCallParser,
      // Only engines make grammars of tools, vLLM where it renders; and what follows a grammar only they can read.
      canForceTools: reading.kind === 'engine' && (engine === 'sglang' || !hasCheckpoint),
      ...limits,
    });
  };
}

import { ArtError, describeValue } from '@art/protocol';

import type { EngineTransport } from '@art/gateway/engine-port';
import { openRenderer } from '../tokens/renderer.ts';
import { answerReading, samplerAndReader } from '../answers/answer-reading.ts';
import { engineRendering } from '../prompts/engine-rendering.ts';
import { engineTokenization } from '../prompts/engine-tokenization.ts';
import { GenerateTransport } from './generate-transport.ts';
import { SessionLineages } from '../prompts/session-lineages.ts';
import { localTokenization, type Tokenization } from '../prompts/tokenization.ts';

export interface GenerateTransportOptions {
  /**
   * Whose token route is used: SGLang's `/generate`, or vLLM's `/inference/v1/generate`, for which its completions with
   * token ids stand in where it lacks that.
   */
  engine: 'sglang' | 'vllm';
  /** Reaches the engines. It stays its owner's to close. */
  http: EngineTransport;
  /** Folder of the model's checkpoint. Without one the engine renders and tokenises. @default undefined */
  checkpoint?: string | undefined;
  /** How many threads render. @default 2, or 1 on a machine with two cores or fewer */
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

/**
 * Opens the way to engines over token ids; ready when the tokenizer is loaded.
 * @throws ArtError `ART_INVALID_OPTION`, `ART_TOKENIZER_UNREADABLE`
 */
export async function openGenerateTransport(options: GenerateTransportOptions): Promise<GenerateTransport> {
  const { engine, http, checkpoint, toolCallParser, reasoningParser, cumulative = false } = options;
  if (engine !== 'sglang' && engine !== 'vllm') throw invalid('engine', '"sglang" or "vllm"', engine);
  const hasCheckpoint = checkpoint !== undefined;
  const reading = answerReading({ engine, toolCallParser, reasoningParser, hasCheckpoint });
  const maxContextTokens = count('maxContextTokens', options.maxContextTokens ?? 0, 0);
  const defaultMaxTokens = count('defaultMaxTokens', options.defaultMaxTokens ?? 4_096, 1);
  const readTimeoutMs = count('readTimeoutMs', options.readTimeoutMs ?? 900_000, 0);
  const tokenization = await openTokenization(options);
  return new GenerateTransport({
    flavour: engine,
    ...samplerAndReader(engine, reading, tokenization),
    tokenization,
    lineages: cumulative ? new SessionLineages() : undefined,
    http,
    toolCallParser,
    // Only engines make grammars of tools, vLLM where it renders; and what follows a grammar only they can read.
    canForceTools: reading.kind === 'engine' && (engine === 'sglang' || !hasCheckpoint),
    maxContextTokens,
    defaultMaxTokens,
    readTimeoutMs,
  });
}

async function openTokenization(options: GenerateTransportOptions): Promise<Tokenization> {
  const { engine, checkpoint, renderThreads: threads } = options;
  if (checkpoint !== undefined) return localTokenization(await openRenderer({ checkpoint, threads }));
  return engine === 'vllm' ? engineRendering() : engineTokenization;
}

function count(option: string, value: number, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw invalid(option, `a whole number from ${least}`, value);
}

function invalid(option: string, expected: string, got: unknown): ArtError {
  return new ArtError({
    code: 'ART_INVALID_OPTION',
    message: `Expected ${option} ${expected.startsWith('to ') ? '' : 'to be '}${expected}, got ${describeValue(got)}.`,
  });
}

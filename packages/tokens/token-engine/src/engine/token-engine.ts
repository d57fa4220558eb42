import { availableParallelism } from 'node:os';
import { aNumber, aText, custom, optional, type OptionRules, readOptions } from '@art/ground';
import type { OpenEngine } from '@art/gateway/engine-port';
import { TurnParser } from '../parsers/turn-parser.ts';
import { Tokenization } from '../tokens/tokenization.ts';
import { ChatFront } from './chat-front.ts';
import type { TokenSampler } from '../token-sampler.ts';

/** A chat engine made of a service that samples token ids and of the model's own template and tokenizer. */
export interface TokenEngineOptions {
  /** Sampler of the engine. */
  sampler: TokenSampler;
  /** Folder with tokenizer.json, tokenizer_config.json and the chat template of the model. Nothing is downloaded. */
  checkpoint: string;
  /** Name of the format in which the model writes tool calls. @default none: calls stay text */
  toolCallParser?: string | undefined;
  /** Name of the format in which it marks reasoning. @default none: reasoning stays text */
  reasoningParser?: string | undefined;
  /** Longest answer where a call does not say. @default 4_096 */
  defaultMaxTokens?: number | undefined;
  /**
   * How many threads render. Each holds the tokenizer, 150 to 300 MB with a vocabulary of 150,000.
   * @default 2, or 1 on a machine with two cores or fewer
   */
  renderThreads?: number | undefined;
}

const rules = {
  sampler: custom<TokenSampler>(
    'an object with a function sample()',
    (value) => typeof (value as { sample?: unknown } | null)?.sample === 'function',
  ),
  checkpoint: aText,
  toolCallParser: optional(aText),
  reasoningParser: optional(aText),
  defaultMaxTokens: optional(aNumber({ min: 1, integer: true }), 4_096),
  renderThreads: optional(aNumber({ min: 1, max: 64, integer: true }), availableParallelism() > 2 ? 2 : 1),
} satisfies OptionRules<TokenEngineOptions>;

/**
 * A transport for `startGateway({ transport })`, which needs no workers then. It is opened, and the tokenizer loaded, when the
 * gateway starts.
 * @throws ArtError `ART_INVALID_OPTION`; the gateway's start then `ART_TOKENIZER_UNREADABLE`
 */
export function tokenEngine(options: TokenEngineOptions): OpenEngine {
  const { sampler, checkpoint, toolCallParser, reasoningParser, defaultMaxTokens, renderThreads } =
    readOptions('tokenEngine', options, rules);
  const parser = new TurnParser({ toolCallParser, reasoningParser });
  return async () => {
    const tokenization = await Tokenization.open(checkpoint, renderThreads);
    return new ChatFront({ sampler, tokenization, parser, defaultMaxTokens });
  };
}

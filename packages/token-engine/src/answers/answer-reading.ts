import { ArtError, describeValue } from '@art/protocol';

import { TurnParser } from '../parsers/turn-parser.ts';
import type { Tokenization } from '../prompts/tokenization.ts';
import { sglangChatSampler } from '../sampling/sglang-chat-sampler.ts';
import { sglangSampler } from '../sampling/sglang-sampler.ts';
import type { TokenSampler } from '../sampling/token-sampler.ts';
import { vllmSampler } from '../sampling/vllm-sampler.ts';
import { DerenderReader } from './derender-reader.ts';
import { LocalTurnReader } from './local-turn-reader.ts';
import { sampledMessageReader, type TurnReader } from './turn-reader.ts';

/** The name in place of a parser's that leaves its work to the engine. */
const engineParser = 'engine';

export interface AnswerReadingOptions {
  engine: 'sglang' | 'vllm';
  toolCallParser: string | undefined;
  reasoningParser: string | undefined;
  hasCheckpoint: boolean;
}

/** Who takes answers apart. */
export type AnswerReading =
  | { kind: 'here'; parser: TurnParser }
  /** `otherwise` stands in for engines that cannot; without it their calls are refused. */
  | { kind: 'engine'; otherwise: TurnParser | undefined };

/**
 * Who takes answers apart: the parsers of this package where one is named, the engine where it is named, and vLLM where
 * nothing is named and there is no checkpoint, as far as it can.
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function answerReading(options: AnswerReadingOptions): AnswerReading {
  const { engine, toolCallParser, reasoningParser, hasCheckpoint } = options;
  if (toolCallParser === engineParser || reasoningParser === engineParser) {
    refuseOtherParser('toolCallParser', toolCallParser);
    refuseOtherParser('reasoningParser', reasoningParser);
    return { kind: 'engine', otherwise: undefined };
  }
  const parser = new TurnParser({ toolCallParser, reasoningParser });
  const isOpen = toolCallParser === undefined && reasoningParser === undefined;
  if (engine === 'vllm' && isOpen && !hasCheckpoint) return { kind: 'engine', otherwise: parser };
  return { kind: 'here', parser };
}

// The engine reads an answer as a whole.
function refuseOtherParser(option: string, name: string | undefined): void {
  if (name === undefined || name === engineParser) return;
  throw new ArtError({
    code: 'ART_INVALID_OPTION',
    message: `Expected ${option} to be "engine" as well or absent, since the engine takes the whole answer apart; got ${describeValue(name)}.`,
  });
}

/** How tokens are sampled, and how they are read. */
export function samplerAndReader(
  engine: 'sglang' | 'vllm',
  reading: AnswerReading,
  tokenization: Tokenization,
): { sampler: TokenSampler; reader: TurnReader } {
  if (engine === 'sglang') {
    return reading.kind === 'engine'
      ? { sampler: sglangChatSampler, reader: sampledMessageReader }
      : { sampler: sglangSampler, reader: new LocalTurnReader(tokenization, reading.parser) };
  }
  const sampler = vllmSampler();
  if (reading.kind === 'here') return { sampler, reader: new LocalTurnReader(tokenization, reading.parser) };
  const otherwise = reading.otherwise && new LocalTurnReader(tokenization, reading.otherwise);
  return { sampler, reader: new DerenderReader(otherwise) };
}

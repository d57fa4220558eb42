import type { OpenTransport } from '@art/gateway/engine-port';
import { checkOptionNames, optionNames, refuseOption } from '@art/protocol';
import { openGenerateTransport, type GenerateTransportOptions } from './open-generate-transport.ts';

/** Token-in/token-out instead of the engines' chat route: prompts are rendered here, the engine samples token ids. */
export type TokenEngineOptions = Omit<GenerateTransportOptions, 'http'>;

const names = optionNames<TokenEngineOptions>({
  engine: true,
  checkpoint: true,
  renderThreads: true,
  toolCallParser: true,
  reasoningParser: true,
  cumulative: true,
  maxContextTokens: true,
  defaultMaxTokens: true,
  readTimeoutMs: true,
});

/**
 * A transport for `startGateway({ transport })`. It is opened, and the tokenizer loaded, when the gateway starts.
 * @throws ArtError `ART_INVALID_OPTION`; the gateway's start then `ART_INVALID_OPTION` for a parser that nobody knows, and
 * `ART_TOKENIZER_UNREADABLE`
 */
export function tokenEngine(options: TokenEngineOptions): OpenTransport {
  checkOptionNames('tokenEngine', options, names);
  const { engine, cumulative } = options;
  if (engine !== 'sglang' && engine !== 'vllm') refuseOption('engine', '"sglang" or "vllm"', engine);
  for (const name of ['checkpoint', 'toolCallParser', 'reasoningParser'] as const) {
    const value: unknown = options[name];
    if (value !== undefined && (typeof value !== 'string' || value === ''))
      refuseOption(name, 'non-empty text', value);
  }
  if (cumulative !== undefined && typeof cumulative !== 'boolean')
    refuseOption('cumulative', 'true or false', cumulative);
  return (http) => openGenerateTransport({ ...options, http });
}

import { randomUUID } from 'node:crypto';

import type { EngineReply, EngineRequest, EngineTransport, VirtualEngine } from '@art/gateway/engine-port';

import { ChatExchange, type ChatExchangeParts } from '../answers/chat-exchange.ts';
import { errorBody, jsonReply, toApiError } from '../calls/call-errors.ts';
import { CalledEngine, EngineRefused } from '../calls/called-engine.ts';
import { readChatCall, refuseForcedTool } from '../calls/chat-call.ts';
import { findPrompt } from '../prompts/prompt-source.ts';
import type { SessionLineages } from '../prompts/session-lineages.ts';
import { requestedTokens } from '../sampling/sampling-params.ts';

const chatRoute = '/chat/completions';

export interface GenerateTransportParts extends ChatExchangeParts {
  /** Reaches the engine; calls other than chat go there as they are. */
  http: EngineTransport;
  /** What samples. */
  flavour: 'sglang' | 'vllm';
  /** Undefined renders every turn anew. */
  lineages: SessionLineages | undefined;
  /** Whether the engine may be able to make the model call a tool. */
  canForceTools: boolean;
  maxContextTokens: number;
  defaultMaxTokens: number;
}

/**
 * Token in, token out: renders a chat call to token ids, has an engine continue them, and answers in vLLM's chat shape.
 * Everything that is not a chat call is passed on.
 */
export class GenerateTransport implements EngineTransport {
  readonly engine: VirtualEngine;
  readonly #parts: GenerateTransportParts;

  constructor(parts: GenerateTransportParts) {
    this.#parts = parts;
    const samplingParams = new Set(['max_new_tokens']);
    this.engine = { flavour: parts.flavour, shape: 'vllm', samplingParams };
  }

  async send(request: EngineRequest): Promise<EngineReply> {
    const path = request.path.split('?')[0] ?? '';
    if (request.method !== 'POST' || !path.endsWith(chatRoute)) return this.#parts.http.send(request);
    try {
      return await this.#chat(request);
    } catch (error) {
      if (error instanceof EngineRefused) return error.reply();
      const refusal = toApiError(error);
      if (refusal === undefined) throw error;
      return jsonReply(refusal.failure.status, errorBody(refusal));
    }
  }

  /** @throws ApiError 400 where the body cannot be rendered */
  async countTokens(body: Uint8Array, signal: AbortSignal): Promise<number | undefined> {
    try {
      return await this.#parts.tokenization.countTokens(readChatCall(body), signal);
    } catch (error) {
      throw toApiError(error) ?? error;
    }
  }

  /** Lets go of what is kept of a session for its next turn. */
  forgetSession(sessionId: string): void {
    this.#parts.lineages?.forget(sessionId);
  }

  /** Ends the render threads; the HTTP transport is its owner's to close. */
  close(): Promise<void> {
    return this.#parts.tokenization.close();
  }

  async #chat(request: EngineRequest): Promise<EngineReply> {
    const { http, tokenization, lineages, reader, maxContextTokens, defaultMaxTokens } = this.#parts;
    const call = readChatCall(request.body);
    if (!this.#parts.canForceTools) refuseForcedTool(call);
    const apiPath = (request.path.split('?')[0] ?? '').slice(0, -chatRoute.length);
    const engine = new CalledEngine({ ...request, http, apiPath });
    const prompt = await findPrompt(call, engine, tokenization, lineages);
    const context = { call, promptIds: prompt.ids, requestId: `chatcmpl-${randomUUID()}`, engine };
    await reader.prepare?.(context);
    const exchange = new ChatExchange(this.#parts, context, prompt);
    const bounds = [maxContextTokens, request.maxContextTokens ?? 0].filter((bound) => bound > 0);
    const room = Math.min(...bounds) - prompt.ids.length;
    if (room <= 0) return exchange.full();
    return exchange.run(Math.min(requestedTokens(call) ?? defaultMaxTokens, room));
  }
}

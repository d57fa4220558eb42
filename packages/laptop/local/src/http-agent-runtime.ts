import { Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import {
  type AgentRuntime,
  assertSessionId,
  type CallOptions,
  classifyRuntimeFailure,
  type InvocationAnswer,
  type InvocationOptions,
  type InvokeRequest,
  maxPayloadBytes,
  parseAgentRuntimeArn,
  type RuntimeError,
  runtimeHeaders,
  type StopOutcome,
} from '@art/protocol';
import { ArtError, isLoopback, refuseOption } from '@art/ground';
import { callRuntime, type RuntimeAnswer, type RuntimeOperation } from './http/call-runtime.ts';

export interface HttpAgentRuntimeOptions {
  /** `http://127.0.0.1:PORT` of a local runtime, or anything else that speaks AgentCore's data plane unsigned. */
  endpoint: string;
  agentRuntimeArn: string;
  /** Name of the runtime's endpoint. @default 'DEFAULT' */
  qualifier?: string | undefined;
}

/**
 * Agents over plain HTTP, without signatures, pacing or retries: for the local runtime and for tests. Any number of
 * calls may be under way at once. Idle connections do not keep the process alive.
 */
export class HttpAgentRuntime implements AgentRuntime {
  readonly tellsLeaving = true;
  readonly isLocal: boolean;
  readonly #base: string;
  readonly #query: string;
  readonly #connections: HttpAgent;

  /** @throws ArtError `ART_INVALID_OPTION`, `ART_INVALID_ARN` */
  constructor(options: HttpAgentRuntimeOptions) {
    const { arn } = parseAgentRuntimeArn(options.agentRuntimeArn);
    const endpoint = checkEndpoint(options.endpoint);
    this.isLocal = isLoopback(endpoint.hostname);
    this.#base = `${endpoint.origin}${endpoint.pathname.replace(/\/$/, '')}/runtimes/${encodeURIComponent(arn)}`;
    this.#query = `qualifier=${encodeURIComponent(options.qualifier ?? 'DEFAULT')}`;
    this.#connections =
      endpoint.protocol === 'https:'
        ? new HttpsAgent({ keepAlive: true })
        : new HttpAgent({ keepAlive: true });
  }

  /**
   * @throws RuntimeError sorted by status; ArtError `ART_INVALID_SESSION_ID`, `ART_INVALID_PAYLOAD` before anything is
   * sent; the signal's reason.
   */
  async invoke(request: InvokeRequest, options?: InvocationOptions): Promise<InvocationAnswer> {
    assertSessionId(request.sessionId);
    const bytes = Buffer.byteLength(request.body);
    if (bytes > maxPayloadBytes) {
      throw new ArtError({
        code: 'ART_INVALID_PAYLOAD',
        message: `Expected a payload of at most ${maxPayloadBytes} bytes, got ${bytes}. Send a reference to the data instead.`,
      });
    }
    const answer = await this.#call('InvokeAgentRuntime', 'invocations', request, options);
    if (!isSuccess(answer)) throw failure('InvokeAgentRuntime', answer);
    return {
      body: answer.body,
      sessionId: headerOf(answer, runtimeHeaders.sessionId),
      requestId: headerOf(answer, runtimeHeaders.requestId),
    };
  }

  /** @throws RuntimeError, ArtError `ART_INVALID_SESSION_ID`, the signal's reason. */
  async stop(sessionId: string, options?: CallOptions): Promise<StopOutcome> {
    assertSessionId(sessionId);
    const request = { sessionId, body: '{}' };
    const answer = await this.#call('StopRuntimeSession', 'stopruntimesession', request, options);
    if (isSuccess(answer)) return { kind: 'stopped' };
    // 404 has two meanings: only an unknown session is an outcome, an unknown runtime is a mistake.
    if (answer.httpStatus === 404 && /session/i.test(serviceMessage(answer) ?? ''))
      return { kind: 'not_found' };
    throw failure('StopRuntimeSession', answer);
  }

  /** Closes the connections that are kept for later calls. */
  close(): void {
    this.#connections.destroy();
  }

  #call(
    operation: RuntimeOperation,
    path: string,
    { sessionId, body }: InvokeRequest,
    options?: InvocationOptions,
  ): Promise<RuntimeAnswer> {
    const url = `${this.#base}/${path}?${this.#query}`;
    return callRuntime(operation, { url, sessionId, body, agent: this.#connections }, options);
  }
}

function isSuccess(answer: RuntimeAnswer): boolean {
  return answer.httpStatus >= 200 && answer.httpStatus < 300;
}

function failure(operation: RuntimeOperation, answer: RuntimeAnswer): RuntimeError {
  return classifyRuntimeFailure({
    operation,
    httpStatus: answer.httpStatus,
    serviceMessage: serviceMessage(answer),
    retryAfterMs: retryAfterMs(headerOf(answer, 'retry-after')),
    requestId: headerOf(answer, runtimeHeaders.requestId),
  });
}

function serviceMessage(answer: RuntimeAnswer): string | undefined {
  try {
    const body = JSON.parse(answer.body) as { message?: unknown; Message?: unknown } | null;
    const message = body?.message ?? body?.Message;
    return typeof message === 'string' ? message : undefined;
  } catch {
    return answer.body === '' ? undefined : answer.body.slice(0, 500);
  }
}

// Seconds or a date. Source: RFC 9110, section 10.2.3.
function retryAfterMs(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header)) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

function headerOf(answer: RuntimeAnswer, name: keyof IncomingMessage['headers']): string | undefined {
  const value = answer.headers[name];
  return typeof value === 'string' ? value : undefined;
}

function checkEndpoint(endpoint: string): URL {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  refuseOption('endpoint', 'an http or https URL', endpoint);
}

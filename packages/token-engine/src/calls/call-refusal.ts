import { ArtError } from '@art/protocol';

import { apiErrorBody, type EngineReply } from '@art/gateway/engine-port';

/** A call that is not sampled, as the agent is told. */
export class CallRefusal extends Error {
  readonly status: number;
  /** The member of the request that is at fault. */
  readonly param: string | undefined;
  readonly code: string | undefined;

  constructor(
    message: string,
    param?: string,
    cause?: unknown,
    more: { status?: number; code?: string | undefined } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'CallRefusal';
    this.status = more.status ?? 400;
    this.param = param;
    this.code = more.code;
  }
}

/** An engine's answer that is of no use. */
export function engineFault(message: string, code: string, cause?: unknown): CallRefusal {
  return new CallRefusal(message, undefined, cause, { status: 502, code });
}

/** Failures of rendering that are the request's own fault. */
const requestFaults: ReadonlySet<string> = new Set([
  'ART_TEMPLATE_FAILED',
  'ART_UNSUPPORTED_MESSAGE',
  'ART_JSON_PARSE',
  'ART_GATEWAY_BAD_REQUEST',
]);

/** What rendering failed with as a refusal; undefined for what is not ours to answer. */
export function toRefusal(error: unknown): CallRefusal | undefined {
  if (error instanceof CallRefusal) return error;
  if (!ArtError.isInstance(error)) return undefined;
  if (requestFaults.has(error.code)) {
    return new CallRefusal(error.message, 'messages', error, { code: error.code });
  }
  if (error.code === 'ART_RENDER_FAILED') {
    return new CallRefusal(error.message, undefined, error, { status: 500, code: error.code });
  }
  return undefined;
}

/** OpenAI's error object. */
export function refusalBody(refusal: CallRefusal): string {
  const { status, message, param, code } = refusal;
  return apiErrorBody('chat', { status, message, param, code });
}

export function refusalReply(refusal: CallRefusal): EngineReply {
  return jsonReply(refusal.status, refusalBody(refusal));
}

export function jsonReply(status: number, body: string): EngineReply {
  return { status, headers: { 'content-type': 'application/json' }, body: once(Buffer.from(body)) };
}

/** A body in one piece. */
export async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes;
}

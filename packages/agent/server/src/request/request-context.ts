import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyBaseLogger } from 'fastify';
import type { HandlerRollout } from './handler-rollout.ts';

/** The facts and services that a handler gets with its request. */
export interface RequestContext {
  /** The AgentCore session; a fresh UUID where the caller named none. */
  sessionId: string;
  /** The platform's request id; a fresh UUID where there was none. */
  requestId: string;
  /** Every request header, names in lower case, repeated ones joined by ", ". */
  headers: Record<string, string>;
  /**
   * The model endpoint, key and sampling parameters that the trainer asks for. They come from `_rollout`, or from
   * `_config` of a RIP request. Undefined for production traffic.
   */
  rollout: HandlerRollout | undefined;
  /**
   * The text of a prompt: `context.prompt('system', 'You are ...')` gives the text in the code, unless the rollout replaces it, as
   * `art improve` does. The text in the code must be constant.
   * @throws ArtError `ART_INVALID_OPTION` for a name or text that is none, and in a rollout that replaces prompts for a second text
   * by one name
   */
  prompt: (name: string, text: string) => string;
  /** How the invocation is named, where it came by the Runtime Invocation Protocol (RIP); undefined otherwise. */
  invocation: { id: string; background: boolean } | undefined;
  /** Where the result will be stored; undefined when nothing is. */
  resultKey: string | undefined;
  /**
   * Aborts when nobody waits for the work any more: the process is being stopped, or the caller of a plain request has
   * gone. Pass it to model calls and tools.
   */
  signal: AbortSignal;
  /** Writes JSON lines with `sessionId`, `requestId` and, for RIP, `invocationId`. */
  log: FastifyBaseLogger;
  /** Token for AgentCore Identity, where the runtime sent one. */
  workloadAccessToken: string | undefined;
  /** Callback URL of OAuth2 flows, where the runtime sent one. */
  oauth2CallbackUrl: string | undefined;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** The context of the request or rollout that the calling code belongs to; undefined outside of handlers. */
export function getContext(): RequestContext | undefined {
  return storage.getStore();
}

/** Runs code so that {@link getContext} finds `context`, also after awaits. */
export function runWithContext<T>(context: RequestContext, run: () => T): T {
  return storage.run(context, run);
}

import type { EngineFlavour } from '../engines/engine-profiles.ts';
import type { OpenEngine } from '../engines/engine-transport.ts';
import type { SignRequest } from '../engines/sign-request.ts';
import type { WorkerOptions } from '../routing/worker.ts';
import type { Spent } from '@art/protocol';
import type { AnswerStore } from '../engines/answer-store.ts';
import type { CaptureStore } from '../store/capture-store.ts';

/** Where captures are kept, if not in a store of the caller's own. */
export interface StoreOptions {
  /** A directory makes them durable; without one they are in memory. */
  directory?: string | undefined;
  /**
   * Event that a stored capture survives: the end of this process, or of the machine. For a directory only. @default
   * 'process'
   */
  durability?: 'process' | 'disk' | undefined;
  /** Most sessions at once; the oldest finished ones make room. @default the store's own bound */
  maxSessions?: number | undefined;
  /** Most bytes of captures. @default the store's own bound */
  maxBytes?: number | undefined;
}

/**
 * Keeps slow silent calls alive on the way through proxies and load balancers, which cut connections at 60 to 300 s.
 */
export interface HeartbeatOptions {
  /** First sign of life after so long a silence. Until then a failure has its true status. @default 50_000 */
  afterMs?: number | undefined;
  /** Then one every so often. @default 25_000 */
  everyMs?: number | undefined;
  /** A call that is not through by then is given up. @default 3_600_000 */
  budgetMs?: number | undefined;
}

/** Attempts that are repeated before the agent sees a status. */
export interface RetryOptions {
  /** Further attempts after 408, 429, 502, 503 and 504. @default 5 */
  attempts?: number | undefined;
  /** Further attempts after 500, which rarely passes by waiting. @default 1 */
  serverErrorAttempts?: number | undefined;
  /** Further attempts after a broken connection; a worker that refuses it is left out if there is another. @default 2 */
  connectionAttempts?: number | undefined;
  /** First pause; doubles with each attempt, and varies by a quarter. `Retry-After` wins. @default 250 */
  baseDelayMs?: number | undefined;
  /** Longest pause without `Retry-After`. @default 30_000 */
  maxDelayMs?: number | undefined;
  /** Longest `Retry-After` that is waited for. @default 60_000 */
  maxRetryAfterMs?: number | undefined;
}

/** Access rules. Everything is open by default, as in the gateways that this one replaces. */
export interface AuthOptions {
  /** Control routes want it as Bearer token. @default none */
  adminToken?: string | undefined;
  /**
   * Model calls want the key of their session, which `POST /sessions` returns as `api_key`. Elsewhere than on loopback it needs an
   * `adminToken`, since anyone who may make a session gets its key. @default false
   */
  sessionKeys?: boolean | undefined;
  /** Signs session keys; give one to keep them valid over restarts. @default random */
  keySecret?: string | undefined;
}

/** Log levels, lowest first. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Options of `startGateway`. */
export interface GatewayOptions {
  /** Address to listen on. `0.0.0.0` opens the gateway, which asks for no password by default, to the network. @default '127.0.0.1' */
  host?: string | undefined;
  /**
   * Names without a port by which agents may call the gateway, such as that of a tunnel that leads to it; `*` is any. Keeps web
   * pages out whose name was made to resolve to the gateway. @default on loopback its own names, elsewhere any
   */
  allowedHosts?: readonly string[] | undefined;
  /** 0 takes a free one. @default 9090 */
  port?: number | undefined;
  /** Inference servers; more can be added while it runs. @default [] */
  workers?: readonly WorkerOptions[] | undefined;
  /** Kind of the workers that do not name one. @default found out by asking each of them */
  flavour?: EngineFlavour | undefined;
  /** Where captures are kept: a store of your own, which you close, or how to keep them. @default in memory */
  store?: CaptureStore | StoreOptions | undefined;
  /** Sessions that nobody touched for so long are dropped, 0 keeps them. Not for a store of your own. @default 86_400_000 */
  sessionTtlMs?: number | undefined;
  /** Ask the engine for logprobs. @default true */
  addLogprobs?: boolean | undefined;
  /** Ask the engine for token ids. @default true */
  addTokenIds?: boolean | undefined;
  /**
   * Turns of a session continue from the very tokens of the turn before, also after a restart: chat calls to vLLM (0.32), SGLang
   * (0.5.13) and TensorRT-LLM take the prompt as token ids. Takes two short `/tokenize` calls a turn. @default false
   */
  cumulativeTokenMode?: boolean | undefined;
  /** Take what only the gateway asked for out of the agent's reply. @default true */
  stripEngineFields?: boolean | undefined;
  /** Replaces the model that the agent names. @default what the agent says */
  model?: string | undefined;
  /** Winner where both the session and the agent set a sampling parameter. @default 'session' */
  samplingEnforcement?: 'session' | 'client' | undefined;
  /**
   * An engine in this process, in place of workers: opened when the gateway starts, and closed with it. `tokenEngine()` of
   * `@art/token-engine` is one. @default none
   */
  engine?: OpenEngine | undefined;
  /**
   * Answer to an agent whose prompt leaves no room for an answer. `error`: 400 in the words of its API
   * (`context_length_exceeded`; "prompt is too long" for Anthropic's), by which agents shorten their conversation; no
   * turn, no capture. `length`: an engine's own refusal as it is, and an empty answer that ends for its length where
   * the gateway renders prompts itself. @default 'error'
   */
  whenFull?: 'error' | 'length' | undefined;
  /**
   * Treatment of calls with images, audio or files, whose token ids do not hold them. `mark`: they are served and do
   * not train. `refuse`: 400 `media_not_trainable`. Where the gateway renders prompts itself they are always refused.
   * @default 'mark'
   */
  media?: 'mark' | 'refuse' | undefined;
  /** 0 turns health checks off: every worker counts as healthy. @default 10_000 */
  healthCheckIntervalMs?: number | undefined;
  /** A check that takes longer has failed. @default 5_000 */
  healthCheckTimeoutMs?: number | undefined;
  /** So many failed checks in a row take a worker out; one good check brings it back. @default 3 */
  healthFailureThreshold?: number | undefined;
  /** Signs of life for slow calls; `false` never sends one. @default see HeartbeatOptions */
  heartbeat?: HeartbeatOptions | false | undefined;
  /** Attempts that are repeated; `false` passes on every failure. @default see RetryOptions */
  retry?: RetryOptions | false | undefined;
  /**
   * An API key, or `user` in the body, that is no known session's id makes a session of that name, as in the Python toolkit's
   * `rollout_gateway`. Engines then see no key. @default false
   */
  sessionsFromKeys?: boolean | undefined;
  /**
   * Captures in lists for a call that asked for several choices: one for each choice, or the first choice only, as
   * rllm-model-gateway has it and rllm expects it. A reader may ask for the other. @default 'all'
   */
  captureChoices?: 'all' | 'first' | undefined;
  /** Keep each call's request and reply with its capture. Takes several times the memory. @default false */
  keepRawBodies?: boolean | undefined;
  /** Answers that are kept, and given to the same call of the same sample in place of the engine's: for evaluations, not for training. @default none */
  answers?: AnswerStore | undefined;
  /** Signs each request to a worker, in place of the agent's key: for workers behind AWS's IAM. @default no request is signed */
  sign?: SignRequest | undefined;
  /** Access rules. @default open */
  auth?: AuthOptions | undefined;
  /** Called with what the sessions of a run with a ceiling have spent, before each request and after each answer. Must not throw. @default nobody */
  onSpent?: ((runId: string, spent: Spent) => void) | undefined;
  /** Longest request body. @default 67_108_864 */
  bodyLimitBytes?: number | undefined;
  /** Most connections to one worker at a time; further calls wait. @default 1_024 */
  maxConnectionsPerWorker?: number | undefined;
  /** How long `close()` waits for calls under way. @default 10_000 */
  shutdownGraceMs?: number | undefined;
  /** Lowest level that is logged, one JSON object a line on stdout. @default 'info' */
  logLevel?: (typeof logLevels)[number] | undefined;
}

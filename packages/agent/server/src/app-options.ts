import {
  aBoolean,
  aFunction,
  aNumber,
  anyObject,
  aText,
  custom,
  optional,
  type OptionRules,
  readMember,
  readOptions,
  type RedactionOptions,
  refuseOption,
  secretNames,
} from '@art/ground';
import { isResultStore } from '@art/store';
import type { AppConfig } from './http/create-http-server.ts';
import { type WarmupHandler, warmupPath } from './http/warmup-route.ts';
import type { WebSocketHandler } from './http/websocket-route.ts';
import type { InvocationHandler, RolloutHandler } from './handler/handlers.ts';
import type { PingHandler } from './ping/ping-status.ts';
import type { PingThread } from './ping/ping-thread.ts';
import type { ResultStoreOption } from './saving/store-opener.ts';
import type { RolloutWire } from './wire/rollout-wire.ts';
import type { RequestSchema } from './handler/request-schema.ts';

/** The options of an agent server. Every handler can also be set by a method afterwards. */
export interface AgentCoreRLAppOptions<
  R extends RequestSchema | undefined = undefined,
  I extends RequestSchema | undefined = undefined,
> {
  /**
   * The agent: answers plain requests, and runs RIP's invocations and rollouts (`_rollout`) in the same way. All that an app
   * needs.
   */
  invocationHandler?: InvocationHandler<I>;
  /**
   * For agents whose training differs: runs rollouts, that is requests with `_rollout`, and RIP requests with `_config`,
   * instead of `invocationHandler`. Where it is the only handler it gets every request.
   */
  rolloutHandler?: RolloutHandler<R>;
  /** Serves WebSocket connections to `/ws`. */
  websocketHandler?: WebSocketHandler;
  /** Serves AgentCore's lifecycle hook at `POST /warmup`. */
  warmupHandler?: WarmupHandler;
  /**
   * Where invocations arrive besides `/invocations`: `protocolConfiguration.path` of the runtime.
   * @default the environment variable ART_INVOCATION_PATH, else none
   */
  invocationPath?: string;
  /** Says how the session is, instead of the count of background tasks. Its `Healthy` is overruled while a rollout runs. */
  pingHandler?: PingHandler;
  /** Logging and content types, as AWS's TypeScript SDK has them. */
  config?: AppConfig;
  /**
   * Where results are stored: a store, or a function that makes one when the first rollout needs it.
   * @default the store that `ART_RESULT_STORE` names
   */
  resultStore?: ResultStoreOption;
  /**
   * Where invocations of the Runtime Invocation Protocol (RIP) are recorded; made, and probed for writing, when the app
   * listens. Use a managed mount for records that outlive the machine. One process at a time may serve a session in it.
   * @default '.agentcore_runtime' in the system's temporary folder, as for the Python toolkit
   */
  stateDir?: string;
  /**
   * Run requests without an envelope (and without `_rollout`) in the background too, as RIP's invocations under ids of the
   * server's making. The reply names the id. @default false
   */
  background?: boolean;
  /** Allow debug actions (`_agent_core_app_action` in a payload), as AWS's Python SDK does with `debug=True`. @default false */
  debug?: boolean;
  /**
   * How long handlers may continue after the process was asked to stop, in ms, 0 to 6,000. What it leaves of 7.5 s is for storing.
   * @default 3_000
   */
  terminationGraceMs?: number;
  /**
   * Longest that a rollout or an invocation of RIP may take, in ms. Then `context.signal` aborts, a document with
   * `status_code` 504 and `stop_reason` "timeout" is stored (for RIP an `error`), and the session is free. @default no limit
   */
  maxRolloutMs?: number;
  /**
   * How long the session stays busy, and storing is tried again, after nothing could be stored, in ms. 0 gives up at once.
   * @default 300_000
   */
  unsavedHoldMs?: number;
  /**
   * Recognise by what a handler throws that the rollout's model endpoint failed, and not the agent: not connected, broken
   * off, too slow, 429, 5xx. `InfrastructureError` counts either way. @default true
   */
  recogniseInfrastructure?: boolean;
  /**
   * Let `app.run` make `Math.random`, `node:crypto` and WebCrypto draw from the kernel, for sessions that are restored from a snapshot
   * would draw the same otherwise. `@art/server/snapshot-safe` does it earlier. @default true
   */
  snapshotSafe?: boolean;
  /** Names of secrets in `_rollout` and `_config` on top of the usual ones. What stands under them is never stored or logged. */
  redact?: RedactionOptions;
  /**
   * Further ways in which trainers ask for rollouts, which run `rolloutHandler` or else `invocationHandler`:
   * `sagemakerRollouts()` of `@art/server-sagemaker`. @default none
   */
  wires?: readonly RolloutWire[];
  /**
   * Answers `/ping` in the app's place, so that a handler that blocks the event loop does not make the session look dead:
   * `pingThread` of `@art/server/ping-thread`. @default the app answers
   */
  pingThread?: () => PingThread;
}

/** The largest delay that Node's timers take. */
const maxTimerMs = 2_147_483_647;

const rules = {
  rolloutHandler: optional(anyObject()),
  invocationHandler: optional(anyObject()),
  websocketHandler: optional(aFunction()),
  warmupHandler: optional(aFunction()),
  invocationPath: optional(anInvocationPath),
  pingHandler: optional(aFunction()),
  config: optional(anyObject()),
  resultStore: optional(
    custom(
      'a ResultStore or a function that makes one',
      (value) => typeof value === 'function' || isResultStore(value),
    ),
  ),
  stateDir: optional(aText),
  background: optional(aBoolean),
  debug: optional(aBoolean),
  terminationGraceMs: optional(aNumber({ min: 0, max: 6_000 })),
  maxRolloutMs: optional(aNumber({ min: 1, max: maxTimerMs })),
  unsavedHoldMs: optional(aNumber({ min: 0, max: maxTimerMs })),
  recogniseInfrastructure: optional(aBoolean),
  snapshotSafe: optional(aBoolean),
  redact: optional(anyObject()),
  pingThread: optional(aFunction()),
  wires: optional(custom('a list of wires', isListOfWires)),
} satisfies OptionRules<AgentCoreRLAppOptions>;

/** @throws ArtError `ART_INVALID_OPTION` */
export function checkAppOptions(options: object): void {
  const { redact } = readOptions('AgentCoreRLApp', options, rules);
  secretNames(redact);
}

/** @throws ArtError `ART_INVALID_OPTION` where the environment names a path that none can be */
export function invocationPathOf({ invocationPath }: Pick<AgentCoreRLAppOptions, 'invocationPath'>): string {
  if (invocationPath !== undefined) return invocationPath;
  const { ART_INVOCATION_PATH: fromEnvironment = '' } = process.env;
  return fromEnvironment === '' ? '/invocations' : anInvocationPath(fromEnvironment, 'ART_INVOCATION_PATH');
}

// Source: AgentCore's API model, protocolConfiguration.
function anInvocationPath(given: unknown, option: string): string {
  const isTaken = ['/ping', '/ws', warmupPath].includes(given as string);
  if (typeof given === 'string' && given.length <= 2_048 && /^\/[\w\-.~/%]*$/.test(given) && !isTaken)
    return given;
  const expected = `a path of letters, digits and "-._~/%" that begins with "/", and is none of /ping, /ws and ${warmupPath}`;
  return refuseOption(option, expected, given);
}

function isListOfWires(value: unknown): boolean {
  return Array.isArray(value) && value.every((wire) => typeof readMember(wire, 'read') === 'function');
}

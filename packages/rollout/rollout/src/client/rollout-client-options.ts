import {
  type Clock,
  aBoolean,
  aFunction,
  aNumber,
  anObject,
  unchecked,
  custom,
  httpUrlExpected,
  isHttpUrl,
  oneOf,
  optional,
  type OptionRules,
  readMember,
  readOptions,
  refuseOption,
  stringifyJson,
} from '@art/ground';
import { type AgentRuntime, parseAgentRuntimeArn, type RuntimeEvent } from '@art/protocol';
import type { ResultStore } from '@art/store';
import { resolveLivenessOptions, type LivenessOptions } from '../sessions/liveness-options.ts';
import type { RolloutGatewayOptions, TrajectoryGateway } from '../gateway/gateway-options.ts';
import type { RolloutIds } from '../request/rollout-ids.ts';
import { type WatchOptions, watchRules } from '../watcher/watch-options.ts';

/** The settings for a runtime factory. They come from the client's options of the same names. */
export interface RuntimeSettings {
  /** ARN of the agent's runtime on AgentCore: `arn:aws:bedrock-agentcore:us-west-2:123456789012:runtime/math-abc123`. */
  agentRuntimeArn?: string | undefined;
  /** New sessions a second. */
  tpsLimit?: number | undefined;
  /** Calls of any kind a second; stops of thousands of sessions at once wait for it. */
  dataPlanePerSecond?: number | undefined;
  /** Attempts at one call that was certainly not delivered. */
  maxRetryAttempts?: number | undefined;
  /** Connections open at once. */
  maxPoolConnections?: number | undefined;
}

/** Makes a runtime from a client's settings. `onEvent` adds its events to those of the client's batches. */
export type RuntimeFactory = (
  settings: RuntimeSettings,
  onEvent: (event: RuntimeEvent) => void,
) => AgentRuntime;

/** Options of `RolloutClient`; names as in the Python client, in camelCase. */
export interface RolloutClientOptions extends RuntimeSettings {
  /** The runtime of the agent, or a function that makes it from the settings above. */
  runtime: AgentRuntime | RuntimeFactory;
  /**
   * Where results come from. `store`: agents store them under `bucket`, where they outlive their sessions. `session`: each
   * session keeps its own and is asked for it by the Runtime Invocation Protocol before it is stopped; agents send nothing
   * anywhere and need no bucket. @default 'store' with a bucket, 'session' without
   */
  results?: 'store' | 'session' | undefined;
  /** Where results appear, with `bucket`. */
  store?: ResultStore | undefined;
  /**
   * True if the client checks that the store can be read: once before the first rollout is sent, and once more before a
   * rollout without a result counts as timed out. A check lists a single key. @default true
   */
  checkStore?: boolean | undefined;
  /** Bucket that agents write to. */
  bucket?: string | undefined;
  /**
   * Experiment: the first part of every result key, needed with `bucket`. May contain slashes, `run-7/step-0017`. Without a
   * bucket agents get it as `exp_id`.
   */
  expId?: string | undefined;
  /** OpenAI-compatible endpoint for the agent, sent as `base_url`. */
  baseUrl?: string | undefined;
  /**
   * Captures the tokens of every rollout's model calls: its own session for each, to which `base_url` points. In place
   * of `baseUrl`. @default none
   */
  gateway?: RolloutGatewayOptions | TrajectoryGateway | undefined;
  /** Model at that endpoint, sent as `model_id`. */
  modelId?: string | undefined;
  /** Sent as `sampling_params`. */
  samplingParams?: Record<string, unknown> | undefined;
  /** Further fields of `_rollout`, or `_config`, sent as they are: `{ temperature: 0.7 }`. */
  extraConfig?: Record<string, unknown> | undefined;
  /** How results are looked for in a store. @default see `WatchOptions` */
  watch?: WatchOptions | undefined;
  /**
   * How long to wait for stops while none of them ends, in milliseconds. They are tried until the client is closed, which waits as
   * long and then names the sessions that are left. @default 30_000
   */
  stopTimeoutMs?: number | undefined;
  /**
   * How sessions whose results appear in a store are asked whether they still live, so that one that died is `lost` soon and
   * not at its deadline. Only agents that speak the Runtime Invocation Protocol are asked; `false` asks none.
   * @default see `LivenessOptions`
   */
  liveness?: LivenessOptions | false | undefined;
  /**
   * Most questions a second by which sessions are asked for their results, over all of them. They are data-plane calls.
   * @default 300, or half of `dataPlanePerSecond` where that is less
   */
  resultCallsPerSecond?: number | undefined;
  /**
   * SIGINT (Ctrl-C), SIGTERM and SIGHUP stop every session of this client; loops and waits then throw, and the process ends
   * with 128 and the number of the signal. A second Ctrl-C ends it at once. Signals are listened for only while something
   * is outstanding. @default false
   */
  stopOnSignals?: boolean | undefined;
  /** Called with sessions that are not stopped and with stores that stay unreachable. @default process.emitWarning */
  onWarning?: ((message: string) => void) | undefined;
  /** Time, for tests and simulations. @default the system's */
  clock?: Clock | undefined;
  /** Source of the ids that callers do not choose. @default random */
  ids?: RolloutIds | undefined;
}

const limitRules = {
  tpsLimit: optional(aNumber({ above: 0 })),
  dataPlanePerSecond: optional(aNumber({ above: 0 })),
  maxRetryAttempts: optional(aNumber({ min: 0, max: Infinity, integer: true })),
  maxPoolConnections: optional(aNumber({ min: 1, integer: true })),
};

const rules = {
  agentRuntimeArn: optional(parseAgentRuntimeArn),
  ...limitRules,
  runtime: custom('an AgentRuntime or a function that makes one', isRuntime),
  results: optional(oneOf('store', 'session')),
  store: unchecked(),
  checkStore: optional(aBoolean),
  bucket: unchecked(),
  expId: unchecked(),
  // Agents take an empty one for none.
  baseUrl: optional(custom(httpUrlExpected, (url) => url === '' || isHttpUrl(url))),
  gateway: unchecked(),
  modelId: optional(custom('a string', (value) => typeof value === 'string')),
  samplingParams: unchecked(),
  extraConfig: unchecked(),
  watch: optional(anObject(watchRules)),
  stopTimeoutMs: optional(aNumber({ above: 0 })),
  liveness: unchecked(),
  resultCallsPerSecond: optional(aNumber({ above: 0 })),
  stopOnSignals: optional(aBoolean),
  onWarning: optional(aFunction()),
  clock: unchecked(),
  ids: unchecked(),
} satisfies OptionRules<RolloutClientOptions, 'agentRuntimeArn'>;

/** @throws ArtError `ART_INVALID_OPTION`, `ART_INVALID_ARN` */
export function checkRolloutClientOptions(options: RolloutClientOptions): void {
  readOptions('RolloutClient', options, rules);
  if (typeof options.runtime !== 'function') {
    for (const name of Object.keys(limitRules) as (keyof typeof limitRules)[])
      if (options[name] !== undefined)
        refuseOption(
          name,
          'undefined where runtime is given ready-made (it has its own limits)',
          options[name],
        );
  }
  checkResultSource(options);
  if (options.gateway !== undefined && (options.baseUrl ?? options.extraConfig?.['base_url']) !== undefined)
    refuseOption('baseUrl', 'left out where a gateway is given, which is where agents go', options.baseUrl);
  resolveLivenessOptions(options.liveness);
  // Written into every request: a value that JSON cannot hold must fail here and not in the thousandth rollout.
  stringifyJson({ extraConfig: options.extraConfig, samplingParams: options.samplingParams });
}

function isRuntime(value: unknown): boolean {
  return typeof value === 'function' || typeof readMember(value, 'invoke') === 'function';
}

function checkResultSource({ results, store, bucket, expId }: RolloutClientOptions): void {
  // Anyone who names a store means to find results there.
  const isStored = results === 'store' || (results === undefined && (bucket ?? store) !== undefined);
  for (const [name, value] of Object.entries({ bucket, expId })) {
    if (value === undefined && !isStored) continue;
    if (typeof value !== 'string' || value === '') refuseOption(name, 'a non-empty string', value);
  }
  if (isStored && typeof store?.exists !== 'function') refuseOption('store', 'a ResultStore', store);
}

/** Where the results of a client's rollouts are stored; undefined where they come from sessions. */
export function resultTarget({
  results,
  bucket,
  expId,
}: Pick<RolloutClientOptions, 'results' | 'bucket' | 'expId'>):
  | { bucket: string; expId: string }
  | undefined {
  if (results === 'session' || bucket === undefined || expId === undefined) return undefined;
  return { bucket, expId };
}

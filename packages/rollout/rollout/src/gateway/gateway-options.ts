import { GatewayClient, type CreateTrajectoryInput } from '@art/gateway-client';
import {
  aBoolean,
  aNumber,
  anObject,
  custom,
  unchecked,
  oneOf,
  optional,
  type OptionRules,
  type ReadOptions,
  readOptions,
  refuseOption,
  stringifyJson,
} from '@art/ground';
import { type ReachLimitOptions, reachLimitRules } from '@art/protocol/reach';
import { aTrainChoice } from '@art/trajectories';
import { RunBudget } from './run-budget.ts';
import type { ReachDeps, ReachedSession } from '../reach/session-reach.ts';

/** The model gateway that captures what a client's rollouts sample, and what each of its sessions begins with. */
export interface RolloutGatewayOptions extends Pick<
  CreateTrajectoryInput,
  | 'samplingParams'
  | 'samplingDefaults'
  | 'maxTurns'
  | 'maxContextTokens'
  | 'mode'
  | 'forkThresholdTokens'
  | 'trainConstrained'
  | 'trains'
  | 'metadata'
> {
  /** Ceilings of all rollouts together, and of each; needs one gateway, which counts. @default no bound */
  budget?: RunBudget | undefined;
  /** The gateway's address as the trainer reaches it. */
  url?: string | undefined;
  /** Instead of `url`, those of several independent gateways: each rollout's session belongs to one of them, by its id. */
  urls?: readonly string[] | undefined;
  /** Sent as Bearer key, where the gateway asks for one. Agents never see it. */
  adminToken?: string | undefined;
  /** The same gateway's address as agents reach it. @default url */
  agentUrl?: string | undefined;
  /** The same gateways' addresses as agents reach them, in the order of `urls`. @default urls */
  agentUrls?: readonly string[] | undefined;
  /**
   * How agents reach the gateway. `session`: through a WebSocket that the client opens into each session; the gateway then needs
   * no address that agents reach, and agents get no key of it. Needs a runtime with sockets, as AgentCore, and agents with this
   * toolkit's server. @default by `agentUrl`
   */
  reach?: 'session' | undefined;
  /** The limits of these sockets. @default see `ReachLimitOptions` */
  reachLimits?: ReachLimitOptions | undefined;
  /** How long calls may continue that are still under way when the outcome is known, in milliseconds. @default 5_000 */
  waitTimeoutMs?: number | undefined;
  /**
   * How long a gateway that is down is asked again for the session of a rollout, before that is given up as `infra_error`,
   * in milliseconds. Part of the rollout's own time. @default 60_000
   */
  openTimeoutMs?: number | undefined;
}

/** The methods of a gateway that rollouts need: a `GatewayClient`, or a fake in tests. */
export type TrajectoryGateway = Pick<
  GatewayClient,
  'baseUrlOf' | 'createTrajectory' | 'trajectory' | 'finishedTrajectory' | 'deleteSession'
> &
  Pick<RolloutGatewayOptions, 'reach' | 'budget'>;

/** The options, checked, with what they stand for. */
export interface RolloutGateway {
  client: TrajectoryGateway;
  /** The URL that the agent of a session takes as `base_url`. */
  agentBaseUrlOf: (sessionId: string) => string;
  /** The input that every session is created with. */
  init: Omit<CreateTrajectoryInput, 'sessionId' | 'rolloutId' | 'groupId'>;
  /** The ceilings; a gateway that was given may get them later. */
  budget: () => RunBudget | undefined;
  waitTimeoutMs: number;
  openTimeoutMs: number;
  /** Where agents reach it through their sessions. */
  reach?: RolloutReach | undefined;
}

/** How the client's end of the sockets works. */
export interface RolloutReach extends Pick<ReachDeps, 'limits' | 'renewAfterMs'> {
  /** Where the calls of a session go. */
  sessionOf: (sessionId: string) => ReachedSession;
}

const defaultWaitTimeoutMs = 5_000;
const defaultOpenTimeoutMs = 60_000;

const rules = {
  url: unchecked(),
  urls: unchecked(),
  adminToken: unchecked(),
  agentUrl: unchecked(),
  agentUrls: unchecked(),
  reach: optional(oneOf('session')),
  reachLimits: optional(anObject(reachLimitRules)),
  budget: optional(custom('a RunBudget', (value) => value instanceof RunBudget)),
  waitTimeoutMs: optional(aNumber({ min: 0 }), defaultWaitTimeoutMs),
  openTimeoutMs: optional(aNumber({ min: 0 }), defaultOpenTimeoutMs),
  samplingParams: unchecked(),
  samplingDefaults: unchecked(),
  maxTurns: optional(aNumber({ min: 1, integer: true })),
  maxContextTokens: optional(aNumber({ min: 1, integer: true })),
  mode: optional(oneOf('exact', 'reference')),
  forkThresholdTokens: optional(aNumber({ min: 0, integer: true })),
  trainConstrained: optional(aBoolean),
  trains: optional(aTrainChoice),
  metadata: unchecked(),
} satisfies OptionRules<RolloutGatewayOptions>;

/** @throws ArtError `ART_INVALID_OPTION`, `ART_JSON_WRITE` */
export function resolveGateway(
  gateway: RolloutGatewayOptions | TrajectoryGateway | undefined,
): RolloutGateway | undefined {
  if (gateway === undefined) return undefined;
  if (typeof gateway !== 'object' || gateway === null)
    refuseOption('gateway', 'a GatewayClient or { url }', gateway);
  if ('createTrajectory' in gateway) {
    const agentBaseUrlOf = (sessionId: string): string => gateway.baseUrlOf(sessionId);
    return {
      client: gateway,
      agentBaseUrlOf,
      init: {},
      budget: () => gateway.budget,
      waitTimeoutMs: defaultWaitTimeoutMs,
      openTimeoutMs: defaultOpenTimeoutMs,
      reach: gateway.reach && reachOf(gateway, {}, undefined),
    };
  }
  const {
    url,
    urls,
    adminToken,
    agentUrl: _agentUrl,
    agentUrls: _agentUrls,
    reach,
    reachLimits,
    waitTimeoutMs,
    openTimeoutMs,
    budget,
    ...init
  } = readOptions('gateway', gateway, rules, 'gateway.');
  if (budget !== undefined && (urls?.length ?? 1) > 1)
    refuseOption(
      'gateway.urls',
      'one gateway beside budget: several do not know what the others count',
      urls,
    );
  // Sent with every session: a value that JSON cannot hold must fail here and not in the thousandth rollout.
  const { samplingParams, samplingDefaults, metadata } = init;
  stringifyJson({ samplingParams, samplingDefaults, metadata });
  const client = new GatewayClient({ url, urls, adminToken });
  const agentSide = agentAddresses(gateway).map((address) => new GatewayClient({ url: address }));
  return {
    client,
    agentBaseUrlOf: (sessionId) => (agentSide[client.gatewayOf(sessionId)] ?? client).baseUrlOf(sessionId),
    init,
    budget: () => budget,
    waitTimeoutMs,
    openTimeoutMs,
    reach: reach && reachOf(client, gateway, reachLimits),
  };
}

function reachOf(
  client: TrajectoryGateway,
  { agentUrl, agentUrls }: RolloutGatewayOptions,
  given: ReadOptions<typeof reachLimitRules> | undefined,
): RolloutReach {
  if ((agentUrl ?? agentUrls) !== undefined)
    refuseOption('gateway.agentUrl', 'left out beside reach, by which agents need no address', agentUrl);
  const { renewAfterMs, ...limits } = given ?? readOptions('reachLimits', {}, reachLimitRules);
  const sessionOf = (sessionId: string): ReachedSession => {
    const baseUrl = client.baseUrlOf(sessionId);
    const at = baseUrl.lastIndexOf('/sessions/');
    return { sessionId, gatewayUrl: baseUrl.slice(0, at), path: baseUrl.slice(at) };
  };
  return { limits, renewAfterMs, sessionOf };
}

function agentAddresses({ urls, agentUrl, agentUrls }: RolloutGatewayOptions): readonly string[] {
  if (urls === undefined) {
    if (agentUrls !== undefined)
      refuseOption('gateway.agentUrls', 'absent where there are no urls', agentUrls);
    return agentUrl === undefined ? [] : [agentUrl];
  }
  if (agentUrl !== undefined) refuseOption('gateway.agentUrl', 'absent where there are urls', agentUrl);
  if (agentUrls !== undefined && agentUrls.length !== urls.length)
    refuseOption('gateway.agentUrls', `as many as urls, ${urls.length}`, agentUrls.length);
  return agentUrls ?? [];
}

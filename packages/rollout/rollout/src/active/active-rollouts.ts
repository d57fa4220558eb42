import { type AgentRuntime, type RuntimeEvent } from '@art/protocol';
import { ArtError, refuseOption } from '@art/ground';
import type { TraceContext } from '@art/ground/telemetry';
import type { RolloutGateway } from '../gateway/gateway-options.ts';
import { defaultReward, GatewaySession } from '../gateway/gateway-session.ts';
import { GatewaySessions } from '../gateway/gateway-sessions.ts';
import type { PastRollout } from '@art/journal';
import type { ResultSource } from '../lifecycle/result-source.ts';
import type { CaptureReward } from '../lifecycle/rollout-capture.ts';
import type { RolloutDeps } from '../lifecycle/rollout-deps.ts';
import type { RolloutBeginning } from '../lifecycle/rollout-state.ts';
import { Rollout, type RolloutOptions } from '../lifecycle/rollout.ts';
import { RolloutSpan } from '../lifecycle/rollout-span.ts';
import type { RolloutIds } from '../request/rollout-ids.ts';
import { type ReachDeps, SessionReach } from '../reach/session-reach.ts';
import {
  buildRolloutRequest,
  type RolloutChoices,
  type RolloutDefaults,
  type RolloutOverrides,
  type RolloutRequest,
  type RolloutRequestIds,
} from '../request/rollout-request.ts';

/** The arguments to start one rollout. */
export interface RolloutStart extends Omit<RolloutOptions, 'capture' | 'span'> {
  payload: unknown;
  /** `inputId` is needed but where an earlier process chose it. */
  choices: RolloutChoices;
  /**
   * Its result comes from the session, whatever those of the client come from: on the connection where it runs in the
   * foreground. @default as the client's
   */
  inSession?: 'foreground' | 'background' | undefined;
  /** @default anew */
  beginning?: RolloutBeginning | undefined;
  /** The rollout of an earlier process that continues. */
  past?: PastRollout | undefined;
  /** By which a gateway keeps or drops what it captured. @default see `defaultReward` */
  rewardOf?: CaptureReward | undefined;
  /** The trace of the first attempt at the same item. */
  retryOf?: TraceContext | undefined;
}

/** A request, and by which its agent gets to the gateway, where that is no address. */
interface Prepared {
  request: RolloutRequest;
  reach?: SessionReach | undefined;
}

/** The rollouts of a client that are outstanding, single ones and those of runs. */
export class ActiveRollouts {
  readonly #defaults: RolloutDefaults;
  readonly #ids: RolloutIds;
  readonly #deps: RolloutDeps;
  /** For rollouts whose results come from their sessions, whatever those of the client come from. */
  readonly #inSessionDeps: RolloutDeps;
  readonly #captured: GatewaySessions | undefined;
  readonly #reach: ReachDeps | undefined;
  /** By session; by session and name where a session has several. */
  readonly #live = new Map<string, Rollout>();
  #isClosed = false;

  /** @param sessionResults for what is answered on the connection */
  constructor(
    defaults: RolloutDefaults,
    ids: RolloutIds,
    deps: RolloutDeps,
    sessionResults: ResultSource,
    gateway: RolloutGateway | undefined,
  ) {
    this.#defaults = defaults;
    this.#ids = ids;
    this.#deps = deps;
    this.#inSessionDeps = { ...deps, source: sessionResults };
    this.#captured = gateway && new GatewaySessions(gateway, deps.clock, deps.warn);
    this.#reach = gateway?.reach && { ...gateway.reach, ...deps, openSocket: socketsOf(deps.runtime) };
  }

  /** @throws ArtError `ART_INVALID_PAYLOAD` and other input errors, `ART_DUPLICATE_ROLLOUT`, `ART_CLIENT_CLOSED` */
  start(start: RolloutStart): Rollout {
    if (this.#isClosed) throw clientClosed();
    const { past, inSession, beginning = { kind: 'new' }, rewardOf = defaultReward } = start;
    const { request, reach } = past === undefined ? this.#newRequest(start) : this.#oldRequest(start, past);
    const name = this.#nameOf(request, start.keepsSession === true);
    const { agentRuntimeArn } = this.#defaults;
    const { retryOf } = start;
    const callsAgent = beginning.kind === 'new' || beginning.kind === 'unsure';
    const about = { attempt: start.attempt, agentRuntimeArn, callsAgent, rewardOf, retryOf };
    const span = RolloutSpan.begin(request, about);
    const parts = { traceContext: span?.context, reach };
    const capture = this.#captured && new GatewaySession(request, rewardOf, this.#captured, parts);
    const deps = inSession === undefined ? this.#deps : this.#inSessionDeps;
    const { index, member, attempt, onEvent, recorder, keepsSession } = start;
    const onLeaving =
      inSession === 'foreground' && reach !== undefined
        ? (): void => {
            start.onLeaving?.();
            // It is answered when the agent is done, which needs its model before.
            reach.start();
          }
        : start.onLeaving;
    const options = { index, member, attempt, onEvent, onLeaving, recorder, capture, span, keepsSession };
    const rollout = new Rollout(request, beginning, options, deps);
    this.#keep(name, rollout);
    return rollout;
  }

  /** The runtime reports what it does about a call of a session. */
  note(event: RuntimeEvent): void {
    if ('sessionId' in event && event.sessionId !== undefined) this.#live.get(event.sessionId)?.note(event);
  }

  /** Longest time of a rollout by its ceiling of seconds, in milliseconds. */
  get longestMs(): number {
    return (this.#captured?.gateway.budget()?.sampleCeiling.seconds ?? Infinity) * 1_000;
  }

  /** Drops what the gateway captured of a rollout of an earlier process that nobody continues with. */
  dropCapture(sessionId: string): void {
    void this.#captured?.drop(sessionId);
  }

  /** Starts no others. */
  close(): void {
    this.#isClosed = true;
  }

  /** Ends all of them; resolves when every session was asked to stop. */
  async cancelAll(reason: unknown): Promise<void> {
    const live = [...this.#live.values()];
    for (const rollout of live) rollout.cancel(reason);
    await Promise.all(live.map((rollout) => rollout.finished));
  }

  // Not in `start`, so that what waits for the end holds nothing of the request.
  #keep(name: string, rollout: Rollout): void {
    this.#live.set(name, rollout);
    void rollout.finished.then(() => this.#live.delete(name));
  }

  /** @throws ArtError `ART_DUPLICATE_ROLLOUT` */
  #nameOf({ sessionId, invocationId, bucket, resultKey }: RolloutRequest, keepsSession: boolean): string {
    const name = `${sessionId}\n${bucket}\n${resultKey}${keepsSession ? invocationId : ''}`;
    const other = this.#live.get(sessionId)?.request;
    if (other === undefined && !this.#live.has(name)) return sessionId;
    const isSame = !keepsSession && other?.bucket === bucket && other?.resultKey === resultKey;
    if (!isSame && !this.#live.has(name)) return name;
    throw new ArtError({
      code: 'ART_DUPLICATE_ROLLOUT',
      message: `A rollout ${resultKey === undefined ? `in session ${sessionId}` : `with the result key ${JSON.stringify(resultKey)}`} is outstanding already. Give each rollout its own session id, or none.`,
    });
  }

  #newRequest({ payload, choices, inSession }: RolloutStart): Prepared {
    const ids = {
      inputId: choices.inputId ?? '',
      sessionId: choices.sessionId ?? this.#ids.sessionId(),
      invocationId: this.#ids.invocationId(),
    };
    return this.#prepare(payload, ids, choices.overrides, inSession);
  }

  #oldRequest({ payload, choices, beginning }: RolloutStart, past: PastRollout): Prepared {
    const { inputId, sessionId, invocationId, bucket, resultKey } = past;
    const ids = { inputId, sessionId, invocationId };
    if (beginning?.kind !== 'unsure') return { request: { ...ids, bucket, resultKey, text: undefined } };
    if (resultKey === undefined) return this.#prepare(payload, ids, choices.overrides);
    // A repeat must name the same place, whatever the overrides say of it today.
    const expId = resultKey.slice(0, -`/${inputId}/${sessionId}.json`.length);
    return this.#prepare(payload, ids, { ...choices.overrides, expId, bucket, input_id: inputId });
  }

  #prepare(
    payload: unknown,
    ids: RolloutRequestIds,
    overrides: RolloutOverrides = {},
    inSession?: RolloutStart['inSession'],
  ): Prepared {
    const gateway = this.#captured?.gateway;
    const defaults = inSession === undefined ? this.#defaults : { ...this.#defaults, target: undefined };
    const background = inSession !== 'foreground';
    if (gateway === undefined)
      return { request: buildRolloutRequest(payload, ids, defaults, overrides, { background }) };
    for (const name of ['baseUrl', 'base_url'] as const) {
      if (overrides[name] !== undefined)
        refuseOption(
          `overrides.${name}`,
          'left out where a gateway is given, which is where agents go',
          overrides[name],
        );
    }
    // Ids that a gateway's URLs cannot carry must fail here, before anything is made.
    const baseUrl = gateway.agentBaseUrlOf(ids.sessionId);
    const reach =
      this.#reach && gateway.reach && new SessionReach(gateway.reach.sessionOf(ids.sessionId), this.#reach);
    const reached = { ...overrides, ...(reach?.config ?? { baseUrl }) };
    const request = buildRolloutRequest(payload, ids, defaults, reached, { background, hasLateKey: true });
    return { request, reach };
  }
}

/** @throws ArtError `ART_INVALID_OPTION` */
function socketsOf({ openSocket }: AgentRuntime): NonNullable<AgentRuntime['openSocket']> {
  if (openSocket !== undefined) return openSocket;
  return refuseOption('gateway.reach', 'left out where the runtime opens no sockets', 'session', {
    advice: 'AgentCoreRuntime and createAgentCoreRuntime of @art/invoke do, also at a local AgentCore.',
  });
}

/** Somebody wants something of a client that was closed. */
export function clientClosed(): ArtError {
  return new ArtError({
    code: 'ART_CLIENT_CLOSED',
    message: 'Expected an open client, this one was closed. Make a new one.',
  });
}

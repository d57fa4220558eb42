import { parseAgentRuntimeArn, RuntimeError, type RolloutOutcome } from '@art/protocol';
import {
  attributeNames,
  eventNames,
  type SpanAttributes,
  spanNames,
  startSpan,
  type TelemetrySpan,
  type TraceContext,
} from '@art/ground/telemetry';
import type { RolloutAddress } from '../request/rollout-request.ts';
import type { CaptureReward } from './rollout-capture.ts';
import type { RolloutEvent } from './rollout-event.ts';

export interface RolloutSpanOptions {
  /** Which attempt at its item it is. */
  attempt: number;
  /** The agent, where it runs on AgentCore. */
  agentRuntimeArn: string | undefined;
  /** True if this process calls the agent; false if an earlier process did. */
  callsAgent: boolean;
  /** Decides the reward of the span. */
  rewardOf: CaptureReward;
  /** The first attempt at the same item. */
  retryOf: TraceContext | undefined;
}

/** The spans of one rollout on the trainer's side: the root of its trace, the call of its agent, and its reward. */
export class RolloutSpan {
  readonly #root: TelemetrySpan;
  readonly #rewardOf: CaptureReward;
  readonly #common: SpanAttributes;
  /** Until the agent has answered. */
  #call: TelemetrySpan | undefined;
  /** The parent of the agent's own spans. */
  readonly agentContext: TraceContext;

  private constructor(root: TelemetrySpan, common: SpanAttributes, options: RolloutSpanOptions) {
    this.#root = root;
    this.#common = common;
    this.#rewardOf = options.rewardOf;
    if (options.callsAgent) this.#call = startCall(root.context, common);
    this.agentContext = this.#call?.context ?? root.context;
  }

  /** Undefined where no SDK of OpenTelemetry is registered. */
  static begin({ sessionId, inputId }: RolloutAddress, options: RolloutSpanOptions): RolloutSpan | undefined {
    const common = {
      [attributeNames.sessionId]: sessionId,
      [attributeNames.conversationId]: sessionId,
      [attributeNames.rolloutId]: sessionId,
      [attributeNames.groupId]: inputId,
      [attributeNames.agentName]: agentNameOf(options.agentRuntimeArn),
    };
    const root = startSpan(spanNames.rollout, {
      links: options.retryOf && [options.retryOf],
      attributes: { ...common, [attributeNames.attempt]: options.attempt },
    });
    return root && new RolloutSpan(root, common, options);
  }

  /** The parent of the gateway's spans. */
  get context(): TraceContext {
    return this.#root.context;
  }

  note(event: RolloutEvent): void {
    if (event.type === 'settled') this.#settle(event.outcome);
    (this.#call ?? this.#root).event(`${eventNames.rolloutPrefix}${event.type}`);
    if (event.type === 'accepted' || event.type === 'noticed') this.#endCall();
  }

  /** Nothing of the rollout is left. */
  end(): void {
    this.#endCall();
    this.#root.end();
  }

  #settle(outcome: RolloutOutcome): void {
    this.#root.set({ [attributeNames.outcome]: outcome.kind });
    // A rollout that was called off has not failed.
    if (outcome.kind !== 'ok' && outcome.kind !== 'cancelled') {
      const { error } = outcome;
      this.#root.fail(error.code);
      this.#call?.fail(error.code);
      if (RuntimeError.isInstance(error)) this.#call?.set({ [attributeNames.awsRequestId]: error.requestId });
    }
    this.#endCall();
    const reward = this.#rewardOf(outcome);
    if (typeof reward === 'number') this.#tellReward(reward);
  }

  #tellReward(reward: number): void {
    this.#root.set({ [attributeNames.reward]: reward });
    const span = startSpan(spanNames.reward, { parent: this.#root.context, attributes: this.#common });
    span?.event(eventNames.evaluationResult, {
      [attributeNames.evaluationName]: 'reward',
      [attributeNames.evaluationScore]: reward,
    });
    span?.end();
  }

  #endCall(): void {
    this.#call?.end();
    this.#call = undefined;
  }
}

function startCall(parent: TraceContext, common: SpanAttributes): TelemetrySpan | undefined {
  const name = common[attributeNames.agentName];
  return startSpan(name === undefined ? spanNames.invokeAgent : `${spanNames.invokeAgent} ${String(name)}`, {
    kind: 'client',
    parent,
    attributes: {
      ...common,
      [attributeNames.operation]: spanNames.invokeAgent,
      [attributeNames.provider]: 'aws.bedrock',
    },
  });
}

/** AgentCore's ids of runtimes are their names with a suffix. */
function agentNameOf(agentRuntimeArn: string | undefined): string | undefined {
  if (agentRuntimeArn === undefined) return undefined;
  return parseAgentRuntimeArn(agentRuntimeArn).runtimeId.replace(/-[^-]+$/, '');
}

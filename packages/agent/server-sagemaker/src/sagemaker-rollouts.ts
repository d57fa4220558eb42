import {
  type Clock,
  systemClock,
  aBoolean,
  anHttpUrl,
  aNumber,
  unchecked,
  optional,
  type OptionRules,
  readOptions,
  describeThrown,
} from '@art/ground';
import type { RolloutWire, WireRollout } from '@art/server';
import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { deliverFeedback } from './deliver-feedback.ts';
import { type CredentialsProvider, FreshToken } from './fresh-token.ts';
import { openModelRelay } from './model-relay.ts';
import { readFeedback } from './read-feedback.ts';
import { readRolloutRequest, type SageMakerRequest } from './rollout-request.ts';
import { keepDirectModel } from './sagemaker-model.ts';

export interface SageMakerRolloutsOptions {
  /**
   * The job's `rollout_timeout`, in ms, 1,000 to 86,400,000. The handler is ended shortly before it, so that its rollout can
   * still be told as failed; nothing is sent after it. @default 600_000
   */
  rolloutTimeoutMs?: number | undefined;
  /**
   * Answer requests at once and work in the background; else with what the handler returned, when the reward is delivered.
   * @default true
   */
  background?: boolean | undefined;
  /** The job runtime. @default `metadata.endpoint` of the request, `RFT_RUNTIME_ENDPOINT`, the region's */
  endpoint?: string | undefined;
  /** @default the default chain of AWS's SDKs, when the first rollout comes */
  credentials?: CredentialsProvider | undefined;
  /** @default the real clock */
  clock?: Clock | undefined;
}

const rules = {
  rolloutTimeoutMs: optional(aNumber({ min: 1_000, max: 86_400_000 }), 600_000),
  background: optional(aBoolean, true),
  endpoint: optional(anHttpUrl),
  credentials: unchecked(),
  clock: optional(unchecked<Clock>(), systemClock),
} satisfies OptionRules<SageMakerRolloutsOptions>;
const carried = ['metadata', 'inferenceParams', 'inference_params'];

/**
 * The wire of SageMaker AI multi-turn RL, for `wires` of `AgentCoreRLApp`: a request with a job and a rollout in `metadata` runs
 * the app's handler. `context.rollout` leads its model client to the policy, and the reward that it returns is delivered.
 *
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function sagemakerRollouts(options: SageMakerRolloutsOptions = {}): RolloutWire {
  const { rolloutTimeoutMs, background, endpoint, clock } = readOptions('sagemakerRollouts', options, rules);
  let provider = options.credentials;
  const tokens = new Map<string, FreshToken>();
  const tokenOf = (region: string): FreshToken => {
    // Not before the first rollout: what exists earlier would be cloned with a snapshot of the runtime.
    provider ??= defaultProvider() as CredentialsProvider;
    const token = tokens.get(region) ?? new FreshToken(provider, region, clock);
    tokens.set(region, token);
    return token;
  };
  // For the feedback of a handler that had to be ended.
  const reserveMs = Math.min(30_000, rolloutTimeoutMs / 10);
  return {
    name: 'sagemaker',
    read(payload): WireRollout | undefined {
      const rollout = readRolloutRequest(payload, endpoint?.replace(/\/+$/, ''));
      if (rollout === undefined) return undefined;
      const deadlineMs = clock.nowMs() + rolloutTimeoutMs - reserveMs / 10;
      return {
        id: JSON.stringify([rollout.jobArn, rollout.rolloutId]),
        background,
        carried,
        maxRolloutMs: rolloutTimeoutMs - reserveMs,
        open: () => openRollout(rollout, tokenOf(rollout.region), { clock, deadlineMs }),
      };
    },
  };
}

async function openRollout(
  rollout: SageMakerRequest,
  token: FreshToken,
  { clock, deadlineMs }: { clock: Clock; deadlineMs: number },
): ReturnType<WireRollout['open']> {
  const relay = await openModelRelay(rollout, token);
  const { rolloutId, samplingParams, metadata } = rollout;
  const config = {
    target: undefined,
    baseUrl: relay.baseUrl,
    modelId: 'default',
    apiKey: relay.apiKey,
    samplingParams,
    raw: metadata,
  };
  keepDirectModel(config, rollout, token);
  return {
    rollout: config,
    close: () => relay.close(),
    async deliver(outcome, { log, signal }) {
      // A handler that was given up must not sample for a rollout that is complete.
      await relay.close();
      const feedback = readFeedback(outcome);
      const { status, reason } = feedback;
      if (status === 'untold') {
        log.error({ rolloutId, reason }, 'SageMaker gets no result of the rollout');
        return;
      }
      const { rewards } = feedback;
      if (reason !== undefined)
        log.warn({ rolloutId, status, reason }, 'The rollout has no reward of its own');
      try {
        const onRetry = (why: string): void => log.warn({ rolloutId, reason: why }, 'Feedback is sent again');
        await deliverFeedback(feedback, { rollout, token, clock, deadlineMs, signal, onRetry });
        log.info({ rolloutId, status, rewards }, 'SageMaker has the result of the rollout');
      } catch (error) {
        const why = describeThrown(error).message;
        log.error(
          { rolloutId, status, rewards, reason: why },
          'Feedback could not be delivered to SageMaker',
        );
      }
    },
  };
}

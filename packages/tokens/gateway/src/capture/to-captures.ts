import { randomUUID } from 'node:crypto';
import type { EngineFlavour } from '../engines/engine-profiles.ts';
import type { AgentWire } from '@art/trajectories';
import type { NewCapture, TextBytes } from '../store/capture-store.ts';
import { captureStatus, type CapturedChoice, type CapturedReply } from './captured-reply.ts';
import type { Continuation, PreparedCall } from './prepare-call.ts';
import { sampledVersions } from './sampled-versions.ts';

/** Facts of a capture's call that neither the request nor the reply holds. */
export interface CaptureContext {
  sessionId: string;
  /** The wire that the agent spoke, which may be another one than the engine's. */
  wire: AgentWire;
  /** The worker's URL. */
  worker: string;
  /** Which of the rollout's agents called. */
  label?: string | undefined;
  /** When the call arrived, milliseconds since the Unix epoch. */
  timestampMs: number;
  latencyMs: number;
  /** The version that the trainer had announced when the engine was asked, and those that came until it had answered. */
  announcedVersions: readonly (number | undefined)[];
  /** The choices in which the model meant to call a tool and did not keep to its format. */
  illFormedChoices?: ReadonlySet<number> | undefined;
  rawRequest?: TextBytes | undefined;
  rawResponse?: TextBytes | undefined;
  /** The kind of engine that sampled. */
  engine: EngineFlavour;
  /** @default random UUIDs */
  newCaptureId?: (() => string) | undefined;
}

/**
 * The captures of a call, one for each choice. None where the engine answered with an error, or broke off before it had sent
 * any of the answer: a failed call is no turn.
 */
export function toCaptures(
  call: PreparedCall,
  captured: CapturedReply,
  context: CaptureContext,
): NewCapture[] {
  const newCaptureId = context.newCaptureId ?? randomUUID;
  const choices = captured.ended ? captured.choices : captured.choices.filter((choice) => choice.hasContent);
  return choices.map((choice) => ({
    captureId: newCaptureId(),
    sessionId: context.sessionId,
    choiceIndex: choice.index,
    choiceCount: call.choiceCount,
    wire: context.wire,
    engine: context.engine,
    worker: context.worker,
    model: captured.model ?? call.model ?? '',
    timestampMs: context.timestampMs,
    latencyMs: context.latencyMs,
    messages: call.messages,
    tools: call.tools,
    responseMessage: choice.message,
    promptTokenIds: choice.promptTokenIds,
    completionTokenIds: choice.tokenIds,
    // Without ids there is nothing that they could be one for each of.
    logprobs: choice.hasTokenIds ? choice.logprobs : undefined,
    finishReason: choice.finishReason,
    ...sampledVersions(choice, captured, context.announcedVersions),
    routedExperts: choice.routedExperts,
    routingMatrices: choice.routingMatrices,
    usage: {
      prompt: call.promptCount === 1 ? captured.usage.prompt : choice.promptTokenIds.length || undefined,
      // The engine counts all choices together.
      completion: call.choiceCount === 1 ? captured.usage.completion : choice.tokenIds.length || undefined,
    },
    temperature: call.temperature,
    topP: call.topP,
    samplingParams: call.samplingParams,
    overriddenParams: call.overriddenParams,
    ...(call.constraints.length > 0 && { constraints: call.constraints }),
    status: captureStatus(choice, captured),
    problems: choice.problems,
    metadata: {
      ...(context.illFormedChoices?.has(choice.index) === true && { ill_formed: true }),
      ...(context.label !== undefined && { label: context.label }),
    },
    rawRequest: context.rawRequest,
    rawResponse: context.rawResponse,
    continuedIn: endsByItself(choice, captured, call.continuation) ? call.continuation?.scope : undefined,
  }));
}

const ownEnds = new Set(['stop', 'tool_calls', 'function_call']);

/** True if the model ended its answer itself, with a token. Only then is it known how a template continues. */
function endsByItself(
  choice: CapturedChoice,
  captured: CapturedReply,
  continuation: Continuation | undefined,
): boolean {
  const { matchedStop, finishReason = '', promptTokenIds } = choice;
  if (captureStatus(choice, captured) !== 'complete' || promptTokenIds.length === 0) return false;
  if (!ownEnds.has(finishReason) || typeof matchedStop === 'string') return false;
  return matchedStop === undefined || continuation?.stopTokenIds.includes(matchedStop) !== true;
}

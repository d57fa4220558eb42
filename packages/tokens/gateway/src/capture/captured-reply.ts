import type { RoutedExperts, WeightVersionSpan, CaptureStatus } from '@art/trajectories';
import { hasGivenUp } from '../model-wires/chat/has-given-up.ts';
import type { PreparedCall } from './prepare-call.ts';

/** One choice as the engine sampled it. */
export interface CapturedChoice {
  index: number;
  /** The chat message, JSON text; tool calls whole, also where they came in fragments. */
  message: string;
  /** True if the engine has sent any part of it: text, a call or a token. */
  hasContent: boolean;
  /** True if the engine gave token ids for it, also where it sampled none. */
  hasTokenIds: boolean;
  /** The prompt of this choice. */
  promptTokenIds: Int32Array;
  tokenIds: Int32Array;
  /** As many as the engine gave; a value that it left out or that is no number is NaN here and a problem. */
  logprobs: Float64Array | undefined;
  finishReason: string | undefined;
  /** The text, as JSON, or the token that the engine says it stopped at; vLLM says nothing of the model's own end. */
  matchedStop: string | number | undefined;
  /** Weight versions that the engine gave by token; empty where it gave none. */
  weightVersions: readonly WeightVersionSpan[];
  routedExperts: RoutedExperts | undefined;
  routingMatrices: readonly string[] | undefined;
  /** Findings of the checks of this choice, each as `kind: detail`; empty where the capture is complete. */
  problems: readonly string[];
}

/** Content of an engine's answer on its way to the agent. */
export interface CapturedReply {
  model: string | undefined;
  promptTokenIds: Int32Array;
  /** By index; empty where the engine gave no answer but an error, or something that is no JSON object. */
  choices: readonly CapturedChoice[];
  /** The engine's weight version at the end of the answer, as it spells it. */
  weightVersion: string | undefined;
  usage: { prompt: number | undefined; completion: number | undefined };
  /** True if the answer came to its end: its last event, or a finish reason for each choice, and no error. */
  ended: boolean;
  /** The error that the engine sent in place of an answer or within a stream, or why the reply cannot be read. */
  error: string | undefined;
}

/** How true the capture of a choice is. */
export function captureStatus(
  choice: Pick<CapturedChoice, 'hasTokenIds' | 'problems'>,
  reply: Pick<CapturedReply, 'ended'>,
): CaptureStatus {
  if (!reply.ended) return 'partial';
  if (choice.problems.length > 0) return 'incomplete';
  return choice.hasTokenIds ? 'complete' : 'text_only';
}

/** Possible faults of a capture. */
type CaptureProblemKind =
  /** The engine was asked for token ids and gave none. */
  | 'no_token_ids'
  /** There are ids of the completion and none of the prompt. */
  | 'no_prompt_token_ids'
  /** The engine was asked for logprobs and gave none. */
  | 'no_logprobs'
  /** A token id is not a whole number of 31 bits. */
  | 'token_id'
  /** A logprob is missing, not finite, or above 0. */
  | 'logprob'
  /** There are not as many logprobs as token ids. */
  | 'logprob_count'
  /** The token ids are not as many as the engine counted. */
  | 'completion_count'
  /** The ids of the prompt are not as many as the engine counted. */
  | 'prompt_count'
  /** The choice has no finish reason. */
  | 'no_finish_reason'
  /** The engine gave up on the choice. */
  | 'aborted'
  /** There are not as many choices as were asked for. */
  | 'choice_count'
  /** A part of the reply is not JSON. */
  | 'unreadable'
  /** The prompt has images, audio or files: ids alone would train a policy that sees nothing. */
  | 'media';

/** A problem as it is kept with a capture. */
export function captureProblem(kind: CaptureProblemKind, detail: string): string {
  return `${kind}: ${detail}`;
}

/** Checks one choice against itself. */
export function checkChoice(choice: Omit<CapturedChoice, 'problems'>, call: PreparedCall): readonly string[] {
  const problems: string[] = [];
  const { tokenIds, logprobs, promptTokenIds, finishReason } = choice;
  if (finishReason === undefined) {
    problems.push(captureProblem('no_finish_reason', 'the engine gave none'));
  } else if (hasGivenUp(finishReason)) {
    problems.push(captureProblem('aborted', `the finish reason is "${finishReason}"`));
  }
  if (!choice.hasTokenIds) {
    if (call.expects.tokenIds) {
      problems.push(captureProblem('no_token_ids', `${call.flavour} was asked for them and gave none`));
    }
    return problems;
  }
  const [media] = call.media;
  if (media !== undefined) {
    const detail = `${call.media.length} of them, the first of type ${media.type} at ${media.path}; token ids do not hold them`;
    problems.push(captureProblem('media', detail));
  }
  if (promptTokenIds.length === 0) {
    problems.push(captureProblem('no_prompt_token_ids', 'the engine gave ids of the completion only'));
  }
  if (logprobs === undefined) {
    if (call.expects.logprobs && tokenIds.length > 0) {
      problems.push(captureProblem('no_logprobs', `${call.flavour} was asked for them and gave none`));
    }
    return problems;
  }
  if (logprobs.length !== tokenIds.length) {
    const detail = `${logprobs.length} logprobs for ${tokenIds.length} token ids`;
    problems.push(captureProblem('logprob_count', detail));
  }
  // vLLM writes -9999 for minus infinity, which is a number like any other here. Written so that NaN is found too.
  let wrong = 0;
  while (logprobs[wrong]! <= 0 && logprobs[wrong]! > Number.NEGATIVE_INFINITY) wrong += 1;
  if (wrong < logprobs.length)
    problems.push(captureProblem('logprob', `that of token ${wrong} is ${logprobs[wrong]}`));
  return problems;
}

/** Checks the choices together against what the engine counted. What it did not count cannot be checked. */
export function checkReply(reply: CapturedReply, call: PreparedCall): readonly string[] {
  const { choices, usage } = reply;
  const problems: string[] = [];
  if (choices.length === 0) return problems;
  if (choices.length !== call.choiceCount && reply.ended) {
    const detail = `${choices.length} of ${call.choiceCount} came`;
    problems.push(captureProblem('choice_count', detail));
  }
  if (!choices.every((choice) => choice.hasTokenIds)) return problems;
  const sampled = choices.reduce((sum, choice) => sum + choice.tokenIds.length, 0);
  if (usage.completion !== undefined && usage.completion !== sampled) {
    problems.push(
      captureProblem('completion_count', `${sampled} ids, and the engine counted ${usage.completion}`),
    );
  }
  const prompt = promptLength(choices, call);
  if (usage.prompt !== undefined && prompt > 0 && usage.prompt !== prompt) {
    problems.push(captureProblem('prompt_count', `${prompt} ids, and the engine counted ${usage.prompt}`));
  }
  return problems;
}

// A prompt counts once, however many choices it has.
function promptLength(choices: readonly CapturedChoice[], call: PreparedCall): number {
  const choicesEach = Math.max(1, call.choiceCount / call.promptCount);
  const lengths = new Map<number, number>();
  for (const choice of choices) {
    lengths.set(Math.floor(choice.index / choicesEach), choice.promptTokenIds.length);
  }
  return [...lengths.values()].reduce((sum, length) => sum + length, 0);
}

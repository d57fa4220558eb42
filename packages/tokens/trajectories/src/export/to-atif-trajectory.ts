import type { JsonObject } from '@art/ground';
import { sumOfKnown } from '@art/ground/figures';
import type { ModelCallRecord } from '../conversation/conversation.ts';
import type { RecordedRollout } from '../records/rollout-record.ts';
import { type Branch, type BranchMessage, conversationBranches } from './conversation-branches.ts';
import type { ResolvedExportOptions } from './export-options.ts';
import { type MessageProblem, type PlainMessage, plainMessage } from './plain-message.ts';

interface Step extends JsonObject {
  step_id: number;
  observation?: { results: JsonObject[] };
}

/**
 * A rollout in the Agent Trajectory Interchange Format 1.7, the version that both Harbor and NeMo Gym read. The first branch is the
 * trajectory, the others are its `subagent_trajectories`. A reward has no place there but `extra`.
 * @param rollout with a conversation of one call or more
 */
export function toAtifTrajectory(
  rollout: RecordedRollout,
  options: ResolvedExportOptions,
): JsonObject | MessageProblem {
  const { id, inputId, outcome, reward, sessionId } = rollout;
  const trajectories: JsonObject[] = [];
  for (const [place, branch] of conversationBranches(rollout.conversation!).entries()) {
    const steps = stepsOf(branch);
    if (typeof steps === 'string') return steps;
    trajectories.push({
      schema_version: 'ATIF-v1.7',
      session_id: sessionId ?? id,
      trajectory_id: `${id}:${place}`,
      agent: agentOf(branch, options),
      steps,
      final_metrics: finalMetrics(branch, steps.length),
    });
  }
  const [first, ...others] = trajectories;
  return {
    ...first,
    ...(others.length > 0 && { subagent_trajectories: others }),
    extra: { art: { rollout_id: id, input_id: inputId, outcome, reward } },
  };
}

function agentOf({ messages, tools }: Branch, { agentName, agentVersion }: ResolvedExportOptions) {
  const model = messages.findLast(({ call }) => call !== undefined)?.call?.model;
  return {
    name: agentName,
    version: agentVersion,
    ...(model !== undefined && model !== '' && { model_name: model }),
    ...(tools.length > 0 && { tool_definitions: tools }),
  };
}

function stepsOf({ messages }: Branch): Step[] | MessageProblem {
  const steps: Step[] = [];
  const askedBy = new Map<string, Step>();
  for (const part of messages) {
    const plain = plainMessage(part.message);
    if (typeof plain === 'string') return plain;
    const asking = plain.role === 'tool' ? askedBy.get(plain.toolCallId ?? '') : undefined;
    if (asking !== undefined) {
      asking.observation ??= { results: [] };
      asking.observation.results.push({ source_call_id: plain.toolCallId ?? '', content: plain.text });
      continue;
    }
    const step = stepOf(plain, part, steps.length + 1);
    for (const { id } of plain.toolCalls) askedBy.set(id, step);
    steps.push(step);
  }
  return steps;
}

function stepOf(plain: PlainMessage, { call, isShared }: BranchMessage, stepId: number): Step {
  // A result of a tool that nobody called is what the agent's environment says.
  if (plain.role !== 'assistant')
    return { step_id: stepId, source: plain.role === 'tool' ? 'user' : plain.role, message: plain.text };
  return {
    step_id: stepId,
    source: 'agent',
    message: plain.text,
    ...(plain.toolCalls.length > 0 && {
      tool_calls: plain.toolCalls.map(({ id, name, arguments: given }) => ({
        tool_call_id: id,
        function_name: name,
        arguments: given,
      })),
    }),
    ...(call === undefined ? { llm_call_count: 0 } : sampledMembers(plain, call)),
    ...(isShared && { is_copied_context: true }),
  };
}

function sampledMembers({ reasoning }: PlainMessage, call: ModelCallRecord): JsonObject {
  const { tokens, captureId, weightVersion, finishReason } = call;
  return {
    timestamp: new Date(call.startedAtMs).toISOString(),
    ...(call.model !== '' && { model_name: call.model }),
    ...(reasoning !== undefined && { reasoning_content: reasoning }),
    llm_call_count: 1,
    metrics: {
      ...known('prompt_tokens', call.promptTokens),
      ...known('completion_tokens', call.completionTokens),
      ...(tokens !== null && { completion_token_ids: tokens.ids }),
      ...(tokens?.logprobs?.every(Number.isFinite) === true && { logprobs: tokens.logprobs }),
      extra: { art: { trace_id: captureId, weight_version: weightVersion, finish_reason: finishReason } },
    },
  };
}

function finalMetrics({ messages }: Branch, steps: number): JsonObject {
  const calls = messages.flatMap(({ call, isShared }) => (call === undefined || isShared ? [] : [call]));
  return {
    ...known('total_prompt_tokens', sumOfKnown(calls.map(({ promptTokens }) => promptTokens))),
    ...known('total_completion_tokens', sumOfKnown(calls.map(({ completionTokens }) => completionTokens))),
    total_steps: steps,
  };
}

const known = (name: string, count: number | null): JsonObject => (count === null ? {} : { [name]: count });

import { Tally } from '../result/tally.ts';
import { healthy, noCallsObserved, notObserved, type HealthCheck } from './health-check.ts';
import { messageText } from './message-text.ts';
import { answers, offeredTools, toolCalls } from './tool-calls.ts';

/** How the templates of the field begin a call of a tool. */
const markers =
  /<tool_call>|<function=|<\|tool_call>|\[TOOL_CALLS\]|<\|python_tag\|>|<｜tool▁calls▁begin｜>|<\|tool_calls_section_begin\|>|to=functions\./;

/** Calls of tools that arrive as text: the engine's tool parser is off, or is that of another model. */
export const toolCallInText: HealthCheck = {
  id: 'tool_call_in_text',
  observe({ maxBrokenToolCallShare }) {
    const written = new Tally();
    let isObserved = false;
    return {
      see(rollout) {
        for (const { message, record, call } of answers(rollout)) {
          isObserved = true;
          if (offeredTools(record).size === 0) continue;
          const made = message['tool_calls'];
          const hasCalls = Array.isArray(made) && made.length > 0;
          written.see(!hasCalls && markers.test(messageText(message)), { id: rollout.id, call });
        }
      },
      judge() {
        if (!isObserved) return noCallsObserved;
        if (written.seen === 0) return notObserved('no call offered tools to the model');
        if (written.share <= maxBrokenToolCallShare) return healthy;
        return written.finding(
          'error',
          `${written.of('answers')} have a call of a tool as text, which no agent can run.`,
          "Start the engine with the model's tool parser (vLLM: --enable-auto-tool-choice --tool-call-parser; SGLang: --tool-call-parser).",
        );
      },
    };
  },
};

/** Calls of tools that cannot be run as the model wrote them. */
export const toolCallIllFormed: HealthCheck = {
  id: 'tool_call_ill_formed',
  observe({ maxBrokenToolCallShare }) {
    const broken = new Tally();
    const kinds = { nameless: 0, unknown: 0, arguments: 0 };
    let isObserved = false;
    return {
      see(rollout) {
        isObserved ||= answers(rollout).length > 0;
        for (const { name, hasArguments, isOffered, call } of toolCalls(rollout)) {
          if (name === '') kinds.nameless += 1;
          else if (!isOffered) kinds.unknown += 1;
          else if (!hasArguments) kinds.arguments += 1;
          broken.see(name === '' || !isOffered || !hasArguments, { id: rollout.id, call });
        }
      },
      judge() {
        if (!isObserved) return noCallsObserved;
        if (broken.seen === 0) return notObserved('no tool was called');
        if (broken.share <= maxBrokenToolCallShare) return healthy;
        return broken.finding(
          'error',
          `${broken.of('calls of tools')} cannot be run: ${kinds.nameless} without a name, ${kinds.unknown} of a tool that was not offered, ${kinds.arguments} whose arguments are no JSON object.`,
          "Compare the engine's tool parser with the model's template. A model that writes such calls itself needs a reward that says so.",
        );
      },
    };
  },
};

import { Tally } from '../result/tally.ts';
import { healthy, noCallsObserved, type HealthCheck } from './health-check.ts';
import { messageText, reasoningText } from './message-text.ts';
import { answers } from './tool-calls.ts';

/** Answers that reached their largest length. */
export const cutOff: HealthCheck = {
  id: 'cut_off',
  observe({ maxCutOffShare }) {
    const cut = new Tally();
    return {
      see(rollout) {
        for (const { record, call } of answers(rollout))
          cut.see(record.finishReason === 'length', { id: rollout.id, call });
      },
      judge() {
        if (cut.seen === 0) return noCallsObserved;
        if (cut.share <= maxCutOffShare) return healthy;
        return cut.finding(
          'warning',
          `${cut.of('answers')} were cut off at their largest length.`,
          "Raise the agent's max_tokens, or the engine's context. What was cut off is judged as it stands.",
        );
      },
    };
  },
};

/** Answers with nothing in them. */
export const hollowAnswer: HealthCheck = {
  id: 'hollow_answer',
  observe({ maxHollowShare }) {
    const hollow = new Tally();
    let runaway = 0;
    return {
      see(rollout) {
        for (const { message, record, call } of answers(rollout)) {
          const made = message['tool_calls'];
          const isHollow =
            messageText(message).trim() === '' &&
            typeof message['refusal'] !== 'string' &&
            !(Array.isArray(made) && made.length > 0) &&
            (reasoningText(message).trim() === '' || record.finishReason === 'length');
          if (isHollow && record.finishReason === 'length') runaway += 1;
          hollow.see(isHollow, { id: rollout.id, call });
        }
      },
      judge() {
        if (hollow.seen === 0) return noCallsObserved;
        if (hollow.share <= maxHollowShare) return healthy;
        return hollow.finding(
          hollow.share > 0.2 ? 'error' : 'warning',
          `${hollow.of('answers')} have neither text nor a call of a tool${runaway > 0 ? `; ${runaway} of them spent their whole length on reasoning` : ''}.`,
          "See whether the engine's template is the model's own, and whether max_tokens leaves room after the reasoning.",
        );
      },
    };
  },
};

import { Tally } from '../result/tally.ts';
import { noCallsObserved, notObserved, healthy, type HealthCheck } from './health-check.ts';
import { offeredTools, toolCalls } from './tool-calls.ts';

/** Rewards that are high although no tool was ever called: a parser that is off, a `tool_choice` that got lost, a task that needs no tool. */
export const toolsNeverCalled: HealthCheck = {
  id: 'tools_never_called',
  observe({ minRollouts }) {
    const idle = new Tally();
    let isObserved = false;
    return {
      see(rollout) {
        const calls = rollout.conversation?.calls ?? [];
        isObserved ||= calls.length > 0;
        if (!calls.some((call) => offeredTools(call).size > 0)) return;
        idle.see(toolCalls(rollout).length === 0, { id: rollout.id });
      },
      judge() {
        if (!isObserved) return noCallsObserved;
        if (idle.seen === 0) return notObserved('no call offered tools to the model');
        if (idle.hits < idle.seen) return healthy;
        if (idle.seen < minRollouts)
          return notObserved(
            `${idle.seen} rollouts with tools called none; ${minRollouts} are needed to say "never"`,
          );
        return idle.finding(
          'error',
          `No tool was called in any of ${idle.seen} rollouts, although tools were offered.`,
          "Read one transcript. If the model wrote its call as text, switch on the engine's tool parser; if it did not try, see whether the prompt, tool_choice or the task itself makes tools needless.",
        );
      },
    };
  },
};

/** A tool that is offered and never used. */
export const toolNeverCalled: HealthCheck = {
  id: 'tool_never_called',
  observe({ minRollouts }) {
    const offered = new Map<string, number>();
    const called = new Set<string>();
    let isObserved = false;
    return {
      see(rollout) {
        const calls = rollout.conversation?.calls ?? [];
        isObserved ||= calls.length > 0;
        const names = new Set(calls.flatMap((call) => [...offeredTools(call)]));
        for (const name of names) offered.set(name, (offered.get(name) ?? 0) + 1);
        for (const { name } of toolCalls(rollout)) called.add(name);
      },
      judge() {
        if (!isObserved) return noCallsObserved;
        if (offered.size === 0) return notObserved('no call offered tools to the model');
        // Where none was called the other check says so.
        if (called.size === 0) return notObserved('no tool was called');
        const idle = [...offered].filter(([name, count]) => !called.has(name) && count >= minRollouts);
        if (idle.length === 0) return healthy;
        return new Tally().finding(
          'note',
          `Never called: ${idle.map(([name, count]) => `${name} (offered in ${count} rollouts)`).join(', ')}.`,
          'Leave the tool out, or see whether its description says when to use the tool.',
        );
      },
    };
  },
};

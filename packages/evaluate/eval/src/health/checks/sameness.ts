import type { RecordedRollout } from '@art/trajectories';
import { Tally } from '../result/tally.ts';
import { healthy, noCallsObserved, notObserved, type HealthCheck } from './health-check.ts';
import { digest } from './digest.ts';
import { answers } from './tool-calls.ts';

/** Groups whose members all said the same, to the token. */
export const answersIdentical: HealthCheck = {
  id: 'answers_identical',
  observe({ purpose, maxIdenticalGroups }) {
    const groups = new Map<string, { id: string; said: Set<string>; members: number }>();
    return {
      see(rollout) {
        const said = whatWasSaid(rollout);
        if (said === undefined) return;
        const group = groups.get(rollout.inputId) ?? { id: rollout.id, said: new Set(), members: 0 };
        groups.set(rollout.inputId, group);
        group.said.add(said);
        group.members += 1;
      },
      judge() {
        if (groups.size === 0) return noCallsObserved;
        const identical = new Tally();
        for (const { id, said, members } of groups.values())
          if (members > 1) identical.see(said.size === 1, { id });
        if (identical.seen === 0) return notObserved('no group has two rollouts');
        if (identical.hits <= maxIdenticalGroups) return healthy;
        return identical.finding(
          purpose === 'training' ? 'error' : 'note',
          `In ${identical.of('groups')} all members gave the same answers.`,
          'See whether the agent sets temperature 0 or a fixed seed, and whether something before the engine caches answers.',
        );
      },
    };
  },
};

/** A payload that does not reach the model. */
export const promptIdenticalAcrossTasks: HealthCheck = {
  id: 'prompt_identical_across_tasks',
  observe() {
    const prompts = new Set<string>();
    const inputs = new Set<string>();
    return {
      see({ inputId, conversation }) {
        const first = conversation?.calls[0];
        if (conversation === undefined || first === undefined) return;
        inputs.add(inputId);
        prompts.add(digest(first.prompt.map((index) => conversation.messages[index])));
      },
      judge() {
        if (inputs.size === 0) return noCallsObserved;
        if (inputs.size < 2) return notObserved('there is one input only');
        if (prompts.size > 1) return healthy;
        return new Tally().finding(
          'error',
          `The first prompt is the same for all ${inputs.size} inputs.`,
          'The agent does not use its input: compare the names in the payload with those that the handler reads.',
        );
      },
    };
  },
};

/** Rollouts that were written down twice. */
export const duplicateIdentity: HealthCheck = {
  id: 'duplicate_identity',
  observe() {
    const known = new Set<string>();
    const double = new Tally();
    return {
      see({ id, sessionId }) {
        const names = [`id ${id}`, ...(sessionId === null ? [] : [`session ${sessionId}`])];
        double.see(
          names.some((name) => known.has(name)),
          { id },
        );
        for (const name of names) known.add(name);
      },
      judge() {
        if (double.seen === 0) return notObserved('there are no rollouts');
        if (double.hits === 0) return healthy;
        return double.finding(
          'error',
          `${double.of('rollouts')} have the id or the session of another one.`,
          'Two runs were written into one place, or rollouts share a session: what one of them says may be the other.',
        );
      },
    };
  },
};

function whatWasSaid(rollout: RecordedRollout): string | undefined {
  const said = answers(rollout);
  if (said.length === 0) return undefined;
  return digest(said.map(({ message, record }) => record.tokens?.ids ?? message));
}

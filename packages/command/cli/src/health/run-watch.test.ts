import { expect, it } from 'vitest';
import { formatHealth, plumbing, HealthWatch } from './run-watch.ts';

const rollout = (at: number, modelCalls: number) => ({
  id: `${at}#0`,
  inputId: String(at),
  outcome: 'ok' as const,
  reward: 0,
  sessionId: `s${at}`,
  conversation: undefined,
  modelCalls,
});

function watched(calls: number, checks?: readonly string[]) {
  const told: string[] = [];
  const watch = new HealthWatch({ purpose: 'training' }, (message) => told.push(message), checks);
  for (let at = 0; at < 10; at += 1) watch.see(rollout(at, calls));
  return { told, event: watch.event! };
}

it('says early and at the end that no model was called, and what to do', () => {
  const { told, event } = watched(0);
  expect(told).toEqual([expect.stringMatching(/^No call of a model has reached the gateway/)]);
  expect(event).toMatchObject({ event: 'health', rollouts: 10, worst: 'error' });
  expect(formatHealth(event, undefined)).toMatch(
    /^Health: error no_model_calls: 10 of 10 .* See whether the agent uses the base URL/,
  );
  expect(formatHealth(event, '"art health run"')).toMatch(
    /\n"art health run" says where, and what to do\.\n$/,
  );
});

it('says nothing of what a rehearsal cannot show, and nothing at all where nothing is wrong', () => {
  expect(watched(1).event.findings.map(({ check }) => check)).toEqual(['reward_constant']);
  const { told, event } = watched(1, plumbing);
  expect({ told, findings: event.findings, worst: event.worst }).toEqual({
    told: [],
    findings: [],
    worst: null,
  });
  expect(formatHealth(event, 'x')).toBe('');
  expect(new HealthWatch({}, () => undefined).event).toBeUndefined();
});

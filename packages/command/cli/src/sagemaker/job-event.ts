import { cutLine } from '../terminal/cut-line.ts';
import type { Paint } from '../terminal/paint.ts';
import { sessionPrefix } from '../terminal/session-prefix.ts';

/** Outcome of one rollout of `art dev --sagemaker`. */
export interface JobRolloutEvent {
  event: 'rollout';
  /** Its place among all, from 0. */
  index: number;
  of: number;
  sessionId: string;
  prompt: unknown;
  /** `ready` and `failed` are the agent's words, and have a reward; `refused`: the agent did not take the request. */
  state: 'ready' | 'failed' | 'timed_out' | 'refused';
  /** Calls of the model. */
  turns: number;
  rewards?: readonly number[] | undefined;
  durationMs: number;
  /** Why it was refused. */
  problem?: string;
}

/** Outcome of all of them. */
export interface JobEvent {
  event: 'job';
  rollouts: number;
  ready: number;
  failed: number;
  timedOut: number;
  refused: number;
  /** Without a call of the model. */
  unsampled: number;
  /** Mean of the rollouts' last rewards; undefined where there is none. */
  meanReward?: number | undefined;
}

const advice = {
  refused: 'The agent did not take these requests; its log says why.',
  timedOut:
    'These had no reward before the time-out, which ends a real job. Is sagemakerRollouts() among the wires of the app?',
  failed: 'Their handlers threw, or returned no number as their reward.',
  unsampled:
    'These called no model, which ends a real job: the client must use context.rollout.baseUrl and apiKey.',
} as const;

/** A rollout in one line. */
export function formatRollout(rollout: JobRolloutEvent, paint: Paint): string {
  const { index, of, state, rewards, turns, durationMs, problem, sessionId } = rollout;
  const facts = [
    rewards === undefined ? '' : `reward ${rewards.join(', ')}`,
    turns === 1 ? '1 turn' : `${turns} turns`,
    `${(durationMs / 1_000).toFixed(1)} s`,
  ].filter((fact) => fact !== '');
  const colour = state === 'ready' ? 'green' : 'red';
  const text = typeof rollout.prompt === 'string' ? rollout.prompt : JSON.stringify(rollout.prompt);
  return `${sessionPrefix(sessionId, paint)} rollout ${index + 1}/${of} ${paint(colour, state)}: ${facts.join(', ')}${problem === undefined ? '' : `: ${problem}`}  ${paint('dim', cutLine(text))}`;
}

/** The whole job, with what to do where a real one would have ended. */
export function formatJob(job: JobEvent, paint: Paint): string {
  const { rollouts, ready, meanReward } = job;
  const mean = meanReward === undefined ? 'no rewards' : `mean reward ${Number(meanReward.toFixed(4))}`;
  const problems = Object.entries(advice).flatMap(([name, what]) => {
    const count = job[name as keyof typeof advice];
    return count === 0
      ? []
      : [`  ${paint('red', `${count} ${name === 'timedOut' ? 'timed out' : name}`)}: ${what}`];
  });
  return [
    paint('bold', `${rollouts} rollout${rollouts === 1 ? '' : 's'}: ${ready} ready, ${mean}`),
    ...problems,
  ].join('\n');
}

import { unlimitedTps, type ClientTask } from '../clients/client-task.ts';
import { noLatency, usualLatency } from '../endpoint/endpoint-settings.ts';
import type { DurationModel } from '../workload/duration-model.ts';
import type { ClientScenario } from './client-scenario.ts';

const stepDurations: DurationModel = { kind: 'lognormal', medianMs: 20_000, sigma: 0.6 };
const batch = {
  timeoutMs: 900_000,
  results: 'store',
  inputIds: 'generated',
  source: 'array',
  consumerMs: 0,
  tpsLimit: unlimitedTps,
} satisfies Partial<ClientTask>;
const step = {
  endpoint: { durations: stepDurations, latency: usualLatency },
  task: { ...batch, rollouts: 512, maxConcurrentSessions: 512 },
};
const once = { references: [], repeats: 1 };

/** The benchmarks of rollout clients. */
export const clientScenarios: readonly ClientScenario[] = [
  {
    name: 'step',
    title: 'Training step',
    about: '512 rollouts at once, as one step of on-policy training submits them.',
    ...step,
    ...once,
  },
  {
    name: 'tail',
    title: 'Long rollouts under the quota',
    about: '1,000 rollouts of about a minute, 25 new sessions a second.',
    endpoint: {
      durations: { kind: 'uniform', fromMs: 42_000, toMs: 78_000 },
      latency: usualLatency,
      newSessionsPerSecond: 25,
    },
    task: { ...batch, rollouts: 1_000, maxConcurrentSessions: 1_000, tpsLimit: 25 },
    ...once,
  },
  {
    name: 'scale',
    title: 'Scale',
    about: '20,000 rollouts, 2,000 of them at a time.',
    endpoint: {
      durations: { kind: 'lognormal', medianMs: 10_000, sigma: 0.6 },
      latency: usualLatency,
    },
    task: { ...batch, rollouts: 20_000, maxConcurrentSessions: 2_000 },
    ...once,
  },
  {
    name: 'outstanding',
    title: 'Outstanding',
    about: '20,000 rollouts of one to two minutes, all of them at once: what one that waits takes.',
    endpoint: { durations: { kind: 'uniform', fromMs: 60_000, toMs: 120_000 }, latency: usualLatency },
    task: { ...batch, rollouts: 20_000, maxConcurrentSessions: 20_000, tpsLimit: 400 },
    ...once,
  },
  {
    name: 'short',
    title: 'Very short rollouts',
    about: '200 rollouts of 2 s, 100 at a time: two waves, in which every look that comes late shows.',
    endpoint: { durations: { kind: 'fixed', ms: 2_000 }, latency: usualLatency },
    task: { ...batch, rollouts: 200, maxConcurrentSessions: 100 },
    references: [],
    repeats: 3,
  },
  {
    name: 'stream',
    title: 'Stream with a slow consumer',
    about: '100,000 rollouts from an async iterable; the consumer is slower than the agents.',
    endpoint: { durations: { kind: 'lognormal', medianMs: 2_000, sigma: 0.6 }, latency: usualLatency },
    task: {
      ...batch,
      rollouts: 100_000,
      maxConcurrentSessions: 1_000,
      source: 'async_iterable',
      consumerMs: 5,
    },
    ...once,
  },
  {
    name: 'session',
    title: 'Training step without a store',
    about: 'The training step with results from the sessions, which are asked for them.',
    endpoint: step.endpoint,
    task: { ...step.task, results: 'session' },
    ...once,
  },
  {
    name: 'session_scale',
    title: 'Scale without a store',
    about: '2,000 rollouts at once with results from the sessions.',
    endpoint: { durations: { kind: 'lognormal', medianMs: 60_000, sigma: 0.6 }, latency: usualLatency },
    task: { ...batch, results: 'session', rollouts: 2_000, maxConcurrentSessions: 2_000 },
    ...once,
  },
  {
    name: 'overhead',
    title: 'Overhead',
    about:
      'Instant agents, no latency: what the client itself costs, beside the SDK calls that nobody can avoid.',
    endpoint: { durations: { kind: 'fixed', ms: 0 }, latency: noLatency },
    task: { ...batch, rollouts: 5_000, maxConcurrentSessions: 64 },
    references: ['bare_sdk', 'art_journal'],
    repeats: 3,
  },
  {
    name: 'history',
    title: 'Experiment with a history',
    about: 'The training step among 1,000,000 older results of the same experiment.',
    historyKeys: 1_000_000,
    ...step,
    ...once,
  },
  {
    name: 'quota',
    title: 'Quota',
    about: '25 new sessions a second with the stops of earlier ones among them.',
    endpoint: {
      durations: { kind: 'lognormal', medianMs: 4_000, sigma: 0.4 },
      latency: usualLatency,
      newSessionsPerSecond: 25,
    },
    task: { ...batch, rollouts: 1_000, maxConcurrentSessions: 500, tpsLimit: 25 },
    ...once,
  },
  {
    name: 'limit',
    title: 'A limit that the client does not know',
    about:
      '25 calls a second, invocations and stops together; the client is set to 100 new sessions a second.',
    endpoint: {
      durations: { kind: 'lognormal', medianMs: 2_000, sigma: 0.4 },
      latency: usualLatency,
      callsPerSecond: 25,
    },
    task: { ...batch, rollouts: 500, maxConcurrentSessions: 500, tpsLimit: 100, knownPerSecond: 25 },
    references: ['art_knowing'],
    repeats: 1,
  },
  {
    name: 'ids',
    title: 'Ids of a dataset',
    about: 'The training step as 64 groups of 8 whose input ids, chosen by the user, have no order.',
    endpoint: step.endpoint,
    historyKeys: 20_000,
    task: { ...step.task, inputIds: 'groups_of_8' },
    ...once,
  },
  {
    name: 'faults',
    title: 'A bad day',
    about:
      'The training step with a heavy tail; 5 % of the agents fail, 1 % never end, 30 % of the requests to the store fail, and for 20 s it answers nothing.',
    endpoint: {
      durations: { kind: 'pareto', minMs: 8_000, alpha: 1.5, maxMs: 90_000 },
      failShare: 0.05,
      neverEndShare: 0.01,
      latency: usualLatency,
      storeErrorShare: 0.3,
      storeStall: { fromMs: 15_000, untilMs: 35_000 },
    },
    task: { ...step.task, timeoutMs: 120_000 },
    ...once,
  },
];

import { unlimitedTps } from '../clients/client-task.ts';
import type { DurationModel } from '../workload/duration-model.ts';
import type { ClientScenario } from './client-scenario.ts';

const mostRollouts = 48;
/** By how much time shrinks. */
const speed = 40;
const shortestTimeoutMs = 120_000;

/** A small version of a benchmark: the same paths in a second or two, numbers without meaning. */
export function quickScenario(scenario: ClientScenario): ClientScenario {
  const { endpoint, task, historyKeys } = scenario;
  const rollouts = Math.min(mostRollouts, task.rollouts);
  const { storeStall } = endpoint;
  return {
    ...scenario,
    repeats: 1,
    ...(historyKeys !== undefined && { historyKeys: Math.min(5_000, historyKeys) }),
    endpoint: {
      ...endpoint,
      durations: faster(endpoint.durations),
      ...(endpoint.newSessionsPerSecond !== undefined && {
        newSessionsPerSecond: endpoint.newSessionsPerSecond * speed,
      }),
      ...(endpoint.callsPerSecond !== undefined && { callsPerSecond: endpoint.callsPerSecond * speed }),
      ...(storeStall !== undefined && {
        storeStall: { fromMs: storeStall.fromMs / speed, untilMs: storeStall.untilMs / speed },
      }),
    },
    task: {
      ...task,
      rollouts,
      maxConcurrentSessions: Math.min(task.maxConcurrentSessions, rollouts),
      tpsLimit: Math.min(unlimitedTps, task.tpsLimit * speed),
      ...(task.knownPerSecond !== undefined && { knownPerSecond: task.knownPerSecond * speed }),
      // Latencies, retries and the machine do not get faster: a shrunk deadline would end rollouts whose results are due.
      timeoutMs: Math.max(shortestTimeoutMs, task.timeoutMs / speed),
    },
  };
}

function faster(model: DurationModel): DurationModel {
  switch (model.kind) {
    case 'fixed':
      return { ...model, ms: model.ms / speed };
    case 'uniform':
      return { ...model, fromMs: model.fromMs / speed, toMs: model.toMs / speed };
    case 'lognormal':
      return { ...model, medianMs: model.medianMs / speed };
    case 'pareto':
      return { ...model, minMs: model.minMs / speed, maxMs: model.maxMs / speed };
  }
}

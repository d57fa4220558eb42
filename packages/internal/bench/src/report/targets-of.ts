import { gatewayTargets } from './gateway-targets.ts';
import type { RunMetrics } from '../measure/run-metrics.ts';
import type { ClientScenarioName } from '../scenarios/scenario-name.ts';
import type { ScenarioResult } from './scenario-result.ts';
import { judgeTarget, type Target, type TargetRule } from './target.ts';

const megabyte = 2 ** 20;

type RolloutResult = Exclude<ScenarioResult, { kind: 'gateway' }>;

/** The targets of one benchmark. Some of them compare with another one of the same run. */
export function targetsOf(result: ScenarioResult, all: readonly ScenarioResult[]): Target[] {
  return result.kind === 'gateway' ? gatewayTargets(result.run) : rulesOf(result, all).map(judgeTarget);
}

function rulesOf(result: RolloutResult, all: readonly ScenarioResult[]): TargetRule[] {
  if (result.kind === 'server') return result.runs.flatMap(serverRules);
  const art = result.runs.find(({ client }) => client === 'art');
  const python = result.runs.filter(({ client }) => client.startsWith('python'));
  if (art === undefined) return [];
  const ofAll: TargetRule[] = [
    { what: 'results left unread', unit: '', relation: '<=', limit: 0, measured: art.unread, digits: 0 },
    {
      what: 'sessions left alive',
      unit: '',
      relation: '<=',
      limit: 0,
      measured: art.liveSessionsLeft,
      digits: 0,
    },
  ];
  return [...ofScenario(result.scenario.name, art, python, all), ...ofAll];
}

function ofScenario(
  name: ClientScenarioName,
  art: RunMetrics,
  python: readonly RunMetrics[],
  all: readonly ScenarioResult[],
): TargetRule[] {
  switch (name) {
    case 'step':
      return [...latencyRules(art), ...watchRules(art, python), ...stepCpuRules(art, python)];
    case 'tail':
      return latencyRules(art);
    case 'scale':
      return [
        wallRule(art, 1.05),
        seconds('detection lag p99', art.lag?.p99, 2),
        atMost('peak RSS', 'MiB', art.peakRssBytes / megabyte, 300, 0),
      ];
    case 'outstanding':
      return [
        wallRule(art, 1.05),
        seconds('detection lag p99', art.lag?.p99, 1.4),
        atMost(
          'peak RSS over that at start',
          'MiB',
          (art.peakRssBytes - art.startRssBytes) / megabyte,
          300,
          0,
        ),
      ];
    case 'short':
      return [wallRule(art, 1.15), atMost('watching cost per rollout', 'HEADs', art.watchCostPerRollout, 3)];
    case 'session':
      return [
        seconds('detection lag p50', art.lag?.p50, 1.5),
        seconds('detection lag p99', art.lag?.p99, 4),
        atMost('questions per rollout', '', art.counts.ask / art.rollouts, 12),
        atMost('most questions in one second', '', art.counts.askPeakPerSecond, 300, 0),
      ];
    case 'session_scale':
      return [atMost('most questions in one second', '', art.counts.askPeakPerSecond, 300, 0)];
    case 'stream':
      return [
        atMost(
          'highest RSS, last quarter over second quarter',
          'x',
          art.memoryByQuarter && art.memoryByQuarter.last / art.memoryByQuarter.second,
          1.1,
        ),
      ];
    case 'overhead':
      return overheadRules(art, python, all);
    case 'history':
      return historyRules(art, runOf(all, 'step'));
    case 'quota':
      return [
        {
          what: 'new rollouts a second',
          unit: '/s',
          relation: '>=',
          limit: 24,
          measured: art.newSessionsPerSecond,
        },
      ];
    case 'limit':
      return limitRules(art, runOf(all, name, 'art_knowing'));
    case 'ids':
    case 'faults':
      return [];
  }
}

function latencyRules(art: RunMetrics): TargetRule[] {
  return [
    seconds('detection lag p50', art.lag?.p50, 0.5),
    seconds('detection lag p99', art.lag?.p99, 1.2),
    wallRule(art, 1.03),
  ];
}

function watchRules(art: RunMetrics, python: readonly RunMetrics[]): TargetRule[] {
  const cheapest = least(python.map((run) => run.watchCostPerRollout));
  return [
    atMost('watching cost per rollout', 'HEADs', art.watchCostPerRollout, 2),
    atMost(
      'watching cost over the cheapest Python variant',
      'x',
      cheapest && art.watchCostPerRollout / cheapest,
      0.2,
    ),
  ];
}

function stepCpuRules(art: RunMetrics, python: readonly RunMetrics[]): TargetRule[] {
  const best = least(python.map((run) => run.cpuMsPerRollout));
  return [atMost('client CPU over the best Python variant', 'x', best && art.cpuMsPerRollout / best, 0.25)];
}

function overheadRules(
  art: RunMetrics,
  python: readonly RunMetrics[],
  all: readonly ScenarioResult[],
): TargetRule[] {
  const bare = runOf(all, 'overhead', 'bare_sdk');
  const journal = runOf(all, 'overhead', 'art_journal');
  const best = least(python.map((run) => run.cpuMsPerRollout));
  return [
    atMost(
      'client CPU per rollout over the bare SDK calls',
      'x',
      bare && art.cpuMsPerRollout / bare.cpuMsPerRollout,
      1.25,
    ),
    atMost(
      'client CPU per rollout with a journal over without',
      'x',
      journal && journal.cpuMsPerRollout / art.cpuMsPerRollout,
      1.05,
    ),
    {
      what: 'rollouts per CPU-second over the best Python variant',
      unit: 'x',
      relation: '>=',
      limit: 2,
      measured: best && best / art.cpuMsPerRollout,
    },
  ];
}

function limitRules(art: RunMetrics, knowing: RunMetrics | undefined): TargetRule[] {
  const { invoke, invokeThrottled } = art.counts;
  return [
    atMost(
      'time to the last stop over the client that knows the limit',
      'x',
      knowing && art.lastStopMs / knowing.lastStopMs,
      1.1,
    ),
    atMost('invocations per rollout', '', (invoke + invokeThrottled) / art.rollouts, 1.15),
  ];
}

function historyRules(art: RunMetrics, step: RunMetrics | undefined): TargetRule[] {
  return [
    atMost(
      'detection lag p50 over the step without a history',
      'x',
      step?.lag && art.lag && art.lag.p50 / step.lag.p50,
      1.1,
    ),
    atMost(
      'detection lag p99 over the step without a history',
      'x',
      step?.lag && art.lag && art.lag.p99 / step.lag.p99,
      1.1,
    ),
    atMost(
      'watching cost over the step without a history',
      'x',
      step && art.watchCostPerRollout / step.watchCostPerRollout,
      1.1,
    ),
  ];
}

function serverRules(run: Extract<ScenarioResult, { kind: 'server' }>['runs'][number]): TargetRule[] {
  const at = `store PUT ${run.putMs} ms`;
  return [
    {
      what: `accepts a second, ${at}`,
      unit: '/s',
      relation: '>=',
      limit: 4_000,
      measured: run.acceptsPerSecond,
      digits: 0,
    },
    atMost(`/ping p99, ${at}`, 'ms', run.pingLatency.p99, 50, 1),
    atMost(`accepted and not stored, ${at}`, '', run.accepted - run.stored, 0, 0),
  ];
}

function wallRule(art: RunMetrics, limit: number): TargetRule {
  return atMost('wall over clairvoyant', 'x', art.wallMs / art.clairvoyantMs, limit, 3);
}

function seconds(what: string, ms: number | undefined, limit: number): TargetRule {
  return atMost(what, 's', ms === undefined ? undefined : ms / 1_000, limit);
}

function atMost(
  what: string,
  unit: string,
  measured: number | undefined,
  limit: number,
  digits = 2,
): TargetRule {
  return { what, unit, relation: '<=', limit, measured, digits };
}

function runOf(
  all: readonly ScenarioResult[],
  name: ClientScenarioName,
  client: RunMetrics['client'] = 'art',
): RunMetrics | undefined {
  for (const result of all) {
    if (result.kind === 'clients' && result.scenario.name === name)
      return result.runs.find((run) => run.client === client);
  }
  return undefined;
}

function least(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : Math.min(...values);
}

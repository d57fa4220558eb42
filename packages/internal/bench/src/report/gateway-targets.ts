import type { GatewayRun } from '../gateway/gateway-run.ts';
import type { CellName } from '../gateway/gateway-plan.ts';
import type { CellRun } from '../gateway/measure/call-cell.ts';
import type { SubjectKind } from '../gateway/subjects/subject-kind.ts';
import { judgeTarget, type Target, type TargetRule } from './target.ts';

const leastRequestsPerSecond = 2_500;
const leastShareOfPipe = 0.8;

/** The targets of the gateway. */
export function gatewayTargets(run: GatewayRun): Target[] {
  return [...latencyRules(run), ...costRules(run), ...streamRules(run), ...loadRules(run)].map(judgeTarget);
}

function latencyRules(run: GatewayRun): TargetRule[] {
  const added = (name: CellName): number | undefined =>
    difference(runOf(run, name, 'art')?.p50Ms, runOf(run, name, 'direct')?.p50Ms);
  return [
    { ...atMost('added latency p50, 2k + 200 tokens, c=1', 'ms', 0.6), measured: added('short_c1') },
    { ...atMost('added latency p50, 32k + 500 tokens, c=1', 'ms', 1.5), measured: added('long_c1') },
  ];
}

// Both keep raw bodies here: the gateway in Python, as published, cannot do without.
function costRules(run: GatewayRun): TargetRule[] {
  const share = (name: CellName): number | undefined =>
    ratio(runOf(run, name, 'art_raw')?.cpuMsPerCall, runOf(run, name, 'rllm')?.cpuMsPerCall);
  return [
    { ...atMost(costOf('2k + 200'), 'x', 0.16), measured: share('short_c16'), digits: 3 },
    { ...atMost(costOf('32k + 500'), 'x', 0.33), measured: share('long_c16'), digits: 3 },
  ];
}

function costOf(tokens: string): string {
  return `CPU per request over rllm-model-gateway, raw bodies kept on both, ${tokens} tokens, c=16`;
}

function streamRules({ streams }: GatewayRun): TargetRule[] {
  const of = (kind: SubjectKind) => streams.runs.find(({ subject }) => subject === kind);
  const [art, direct] = [of('art'), of('direct')];
  return [
    {
      ...atMost('added latency per SSE chunk p50, 5 ms pacing, c=32', 'ms', 0.15),
      measured: difference(art?.p50Ms, direct?.p50Ms),
    },
    {
      ...atMost('added latency per SSE chunk p99, 5 ms pacing, c=32', 'ms', 4),
      measured: difference(art?.p99Ms, direct?.p99Ms),
    },
  ];
}

function loadRules(run: GatewayRun): TargetRule[] {
  const perSecond = runOf(run, 'short_c64', 'art')?.requestsPerSecond;
  const pipe = runOf(run, 'short_c64', 'pipe')?.requestsPerSecond;
  const limit = Math.min(
    leastRequestsPerSecond,
    pipe === undefined ? Number.POSITIVE_INFINITY : Math.round(pipe * leastShareOfPipe),
  );
  const { memory } = run;
  return [
    {
      what: 'requests/s, 2k + 200 tokens, c=64 (2,500, or 80 % of the bare pipe)',
      unit: '/s',
      relation: '>=',
      limit,
      measured: perSecond,
      digits: 0,
    },
    {
      ...atMost('event loop lag p99, 350 concurrent calls of 32k + 500 tokens', 'ms', 50),
      measured: runOf(run, 'long_c350', 'art')?.eventLoopLagP99Ms,
      digits: 1,
    },
    {
      ...atMost('the same, when the engine takes no time', 'ms', 50),
      measured: runOf(run, 'long_c350_busy', 'art')?.eventLoopLagP99Ms,
      digits: 1,
    },
    // As `art gateway` runs; the others are for comparison.
    ...memory.slice(0, 1).map(({ nodeFlags, sessions, turns, growthBytes }): TargetRule => {
      const what = [`memory of ${sessions} sessions, ${turns} turns, 32k tokens`, ...nodeFlags].join(', ');
      return { ...atMost(what, 'MB', 500), measured: growthBytes / 1e6, digits: 0 };
    }),
  ];
}

function atMost(what: string, unit: string, limit: number): Omit<TargetRule, 'measured'> {
  return { what, unit, relation: '<=', limit };
}

function runOf({ cells }: GatewayRun, name: CellName, subject: SubjectKind): CellRun | undefined {
  return cells[name].runs.find((run) => run.subject === subject);
}

function difference(ours: number | undefined, theirs: number | undefined): number | undefined {
  return ours === undefined || theirs === undefined ? undefined : ours - theirs;
}

function ratio(ours: number | undefined, theirs: number | undefined): number | undefined {
  return ours === undefined || theirs === undefined ? undefined : ours / theirs;
}

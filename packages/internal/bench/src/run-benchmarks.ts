import { preparePython } from '@art/e2e/python-environment';
import type { BenchOptions } from './bench-options.ts';
import { pythonClients, type ClientKind } from './clients/client-kind.ts';
import { startEndpoint, type RunningEndpoint } from './endpoint/start-endpoint.ts';
import { medianRun } from './measure/median-run.ts';
import { runGatewayScenario } from './gateway/run-gateway-scenario.ts';
import { gatewayPackages } from './gateway/subjects/gateway-packages.ts';
import type { RunMetrics } from './measure/run-metrics.ts';
import type { BenchReport } from './report/bench-report.ts';
import { describeMachine } from './report/machine.ts';
import { formatRun, formatServerRun } from './report/format-run.ts';
import type { ScenarioResult } from './report/scenario-result.ts';
import { targetsOf } from './report/targets-of.ts';
import type { ClientScenario } from './scenarios/client-scenario.ts';
import { clientScenarios } from './scenarios/client-scenarios.ts';
import { quickScenario } from './scenarios/quick-scenario.ts';
import { isClientScenario } from './scenarios/scenario-name.ts';
import { runClient } from './scenarios/run-client.ts';
import { runServerScenario } from './scenarios/run-server-scenario.ts';

export interface BenchContext {
  log: (line: string) => void;
  signal?: AbortSignal | undefined;
}

/** Runs the chosen benchmarks one after another; nothing else should be busy on the machine. */
export async function runBenchmarks(options: BenchOptions, context: BenchContext): Promise<BenchReport> {
  const startedAt = new Date().toISOString();
  const notes: string[] = [];
  const pythonExecutable = await findBaseline(options, notes);
  const gatewayPython = await findPeerGateway(options, notes);
  for (const note of notes) context.log(note);
  await using endpoint = await startEndpoint();
  const results: ScenarioResult[] = [];
  for (const name of options.names) {
    if (name === 'server') {
      context.log('server: Agent server');
      const { isQuick } = options;
      const runs = await runServerScenario({ isQuick, onRun: (run) => context.log(formatServerRun(run)) });
      results.push({ kind: 'server', runs });
      continue;
    }
    if (name === 'gateway') {
      context.log('gateway: Token-capture gateway');
      const { isQuick } = options;
      const run = await runGatewayScenario({ isQuick, pythonExecutable: gatewayPython, log: context.log });
      results.push({ kind: 'gateway', run });
      continue;
    }
    const full = clientScenarios.find((scenario) => scenario.name === name)!;
    const scenario = options.isQuick ? quickScenario(full) : full;
    context.log(`${name}: ${scenario.title}. ${scenario.about}`);
    const runs = await runScenario(scenario, { options, context, endpoint, pythonExecutable });
    results.push({ kind: 'clients', scenario, runs });
  }
  return {
    startedAt,
    machine: describeMachine(),
    seed: options.seed,
    isQuick: options.isQuick,
    notes,
    results: results.map((result) => ({ ...result, targets: targetsOf(result, results) })),
  };
}

interface ScenarioDeps {
  options: BenchOptions;
  context: BenchContext;
  endpoint: RunningEndpoint;
  pythonExecutable: string | undefined;
}

async function runScenario(scenario: ClientScenario, deps: ScenarioDeps): Promise<RunMetrics[]> {
  const { options, context, endpoint, pythonExecutable } = deps;
  const mostBaseline = options.baselineLimit.get(scenario.name);
  const canCompare = mostBaseline !== undefined && scenario.task.results === 'store';
  const baselines = canCompare && pythonExecutable !== undefined ? pythonClients : [];
  const clients: ClientKind[] = ['art', ...scenario.references, ...baselines];
  const runs = new Map<ClientKind, RunMetrics[]>(clients.map((client) => [client, []]));
  // Rounds, so that whatever else the machine does meets all clients alike.
  for (let round = 0; round < scenario.repeats; round += 1) {
    for (const client of clients) {
      const isBaseline = (pythonClients as readonly ClientKind[]).includes(client);
      const most = isBaseline ? (mostBaseline ?? 0) : Number.POSITIVE_INFINITY;
      const run = await runClient({
        scenario,
        client,
        rollouts: Math.min(scenario.task.rollouts, most),
        seed: options.seed,
        endpoint,
        pythonExecutable,
        signal: context.signal,
      });
      runs.get(client)!.push(run);
      context.log(formatRun(run));
    }
  }
  return Array.from(runs.values(), medianRun);
}

async function findBaseline(options: BenchOptions, notes: string[]): Promise<string | undefined> {
  const withBaseline = options.names.filter(
    (name) => isClientScenario(name) && options.baselineLimit.has(name),
  );
  if (withBaseline.length === 0) return undefined;
  const python = await preparePython();
  if (python.kind === 'missing') {
    notes.push(`The Python toolkit did not run: ${python.reason}.`);
    return undefined;
  }
  const limits = [...options.baselineLimit]
    .filter(([name]) => options.names.includes(name))
    .map(([name, most]) => (most === Number.POSITIVE_INFINITY ? name : `${name} (${most} rollouts)`));
  notes.push(
    `The Python toolkit, agentcore-rl-toolkit of PyPI, ran in ${limits.join(', ')}; elsewhere it would take too long (--baseline-limit).`,
  );
  return python.executable;
}

async function findPeerGateway(options: BenchOptions, notes: string[]): Promise<string | undefined> {
  if (!options.names.includes('gateway') || !options.hasBaselines) return undefined;
  const python = await preparePython(gatewayPackages);
  if (python.kind === 'ready') return python.executable;
  notes.push(`rllm-model-gateway did not run: ${python.reason}.`);
  return undefined;
}

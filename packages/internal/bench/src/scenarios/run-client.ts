import { awsEnvironment } from '../clients/aws-environment.ts';
import { clientCommand, type ClientKind } from '../clients/client-kind.ts';
import type { ClientResult } from '../clients/client-result.ts';
import type { ClientTask } from '../clients/client-task.ts';
import { runProcess } from '../clients/run-process.ts';
import type { EndpointSettings } from '../endpoint/endpoint-settings.ts';
import type { RunningEndpoint } from '../endpoint/start-endpoint.ts';
import { clairvoyantWallMs } from '../measure/clairvoyant-schedule.ts';
import { runMetrics, type RunMetrics } from '../measure/run-metrics.ts';
import { planRollouts } from '../workload/plan-rollouts.ts';
import type { ClientScenario } from './client-scenario.ts';

const agentRuntimeArn = 'arn:aws:bedrock-agentcore:us-west-2:123456789012:runtime/bench-abc123';
const bucket = 'bench-results';
const expId = 'bench/step-0017';
// Far beyond the slowest baseline: it only ends a run that hangs.
const longestRunMs = 3_600_000;

export interface ClientRun {
  scenario: ClientScenario;
  client: ClientKind;
  /** At most as many as the scenario has. */
  rollouts: number;
  seed: number;
  endpoint: RunningEndpoint;
  pythonExecutable: string | undefined;
  signal?: AbortSignal | undefined;
}

/** Lets one client do one scenario, alone. */
export async function runClient(run: ClientRun): Promise<RunMetrics> {
  const { scenario, client, rollouts, seed, endpoint, pythonExecutable, signal } = run;
  const { historyKeys } = scenario;
  const settings: EndpointSettings = {
    ...scenario.endpoint,
    seed,
    rollouts,
    ...(historyKeys !== undefined && { history: { expId, keys: historyKeys } }),
  };
  const task: ClientTask = { ...scenario.task, agentRuntimeArn, bucket, expId, rollouts, seed };
  await endpoint.configure(settings);
  const result = (await runProcess({
    command: clientCommand(client, pythonExecutable),
    input: task,
    env: awsEnvironment(endpoint.endpoint),
    timeoutMs: longestRunMs,
    signal,
  })) as ClientResult;
  return runMetrics({
    client,
    rollouts,
    clairvoyantMs: clairvoyantWallMs(planRollouts(settings), { ...task, latency: settings.latency }),
    getMs: settings.latency.getMs,
    result,
    report: await endpoint.report(),
  });
}

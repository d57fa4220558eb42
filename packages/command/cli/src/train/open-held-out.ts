import { resolve } from 'node:path';
import { type CleanupStack, refuseOption } from '@art/ground';
import { localAgent } from '@art/eval/local';
import { type EvaluationOptions, ServedPolicy } from '@art/train';
import { agentEnvironment } from '../arguments/agent-environment.ts';
import type { CliContext } from '../cli-context.ts';
import { openTrainingGateway } from './open-training-gateway.ts';
import type { OpenedService } from './opened-service.ts';
import type { ResolvedTraining } from './train-config.ts';
import type { TrainCommandOptions } from './train-options.ts';

/**
 * The agent on tasks that are not trained on, with a gateway and weights of its own: a version is measured while the next one trains.
 * @returns undefined where nothing is to be measured
 */
export async function openHeldOut(
  options: TrainCommandOptions,
  { choices: { stopWhen, rollBack }, evaluation: { temperature, ...measuring } }: ResolvedTraining,
  service: OpenedService,
  { cwd }: CliContext,
  parts: CleanupStack,
): Promise<EvaluationOptions | undefined> {
  const { evalTasks, agent, modelId } = options;
  if (evalTasks === undefined) {
    if ((stopWhen.score ?? stopWhen.evaluationsWithoutProgress ?? rollBack) !== undefined)
      refuseOption('--eval-tasks', 'given with --stop-at, --patience and --roll-back', undefined);
    return undefined;
  }
  if (agent.length === 0) {
    refuseOption('--eval-tasks', 'left out for an agent on AgentCore', evalTasks, {
      advice: 'Measure its versions with "art eval" between runs.',
    });
  }
  // At 0 the likeliest token each time: the same version has the same score.
  const policy = new ServedPolicy({ temperature });
  const gateway = await openTrainingGateway(policy, service, options, parts);
  const opened = parts.use(
    await localAgent(agent, {
      cwd,
      env: agentEnvironment(options, cwd),
      baseUrl: `${gateway.url}/v1`,
      modelId,
      sessions: 'server',
    }),
  );
  return { agent: opened, policy, tasks: resolve(cwd, evalTasks), ...measuring };
}

import { basename, join, resolve } from 'node:path';
import { CleanupStack, ArtError, refuseOption } from '@art/ground';
import { GatewayClient } from '@art/gateway-client';
import { FileJournal } from '@art/journal';
import { RolloutClient } from '@art/rollout';
import { ServedPolicy, SessionRegister, train, type TrainingStep } from '@art/train';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { checkReach } from '../arguments/reach-option.ts';
import { trainChoiceOf } from '../arguments/train-choice.ts';
import type { Bind, CliContext } from '../cli-context.ts';
import { openAgents } from '../collect/open-agents.ts';
import { shownPath } from '../eval/shown-path.ts';
import { exitCodes } from '../exit-codes.ts';
import { formatHealth, type HealthEvent, plumbing, HealthWatch } from '../health/run-watch.ts';
import { eventWriter } from '../terminal/event-writer.ts';
import { interruptible } from '../terminal/interrupts.ts';
import { formatStep } from '../train/format-step.ts';
import { openHeldOut } from '../train/open-held-out.ts';
import { openTrainingGateway } from '../train/open-training-gateway.ts';
import { rehearsedReward } from '../train/rehearsed-reward.ts';
import { openTeacher } from '../train/open-teacher.ts';
import { openTrainingService } from '../train/open-training-service.ts';
import { choiceLines, resolveTraining } from '../train/train-config.ts';
import { type TrainPlan, planText } from '../train/train-plan.ts';
import { declaredTrain, type TrainCommandOptions } from '../train/train-options.ts';
import { taskFiles } from '../train/task-files.ts';
import { trainExportCommand } from '../train/train-export.ts';
import { trainListCommand, trainStopCommand } from '../train/train-sessions.ts';

/** The command line of `art train`. */
export function trainCommand(bind: Bind): CommandUnknownOpts {
  const run = bind(runTrain);
  return (
    declaredTrain()
      // Both have options of the same names.
      .enablePositionalOptions()
      .action((agent, flags) => run({ ...flags, agent }))
      .addCommand(trainListCommand(bind))
      .addCommand(trainStopCommand(bind))
      .addCommand(trainExportCommand(bind))
  );
}

/** Events of `art train`; with `--json` an object a line. */
type TrainEvent =
  | { event: 'plan'; plan: TrainPlan }
  | { event: 'notice'; message: string }
  | ({ event: 'step' } & TrainingStep)
  | HealthEvent
  | { event: 'end'; reason: string; message: string; folder: string };

/** Guards: the run is at fault, not the machine. */
const guardCodes = new Set([
  'ART_TRAIN_LOGPROB_GAP',
  'ART_TRAIN_NOTHING_CAPTURED',
  'ART_TRAIN_NO_SPREAD',
  'ART_TRAIN_PASS_INCOMPLETE',
  'ART_TRAIN_REWARD_RANGE',
  'ART_TRAIN_ROLLOUTS_FAILED',
  'ART_TRAIN_NOT_FINITE',
  'ART_TRAIN_WRONG_WAY',
]);

/**
 * `art train`: trains until the steps are done, something ends the run in good order, or a guard stops it.
 * @returns the exit code
 * @throws ArtError `ART_INVALID_OPTION`; what the service or the agent fails with
 */
export function runTrain(options: TrainCommandOptions, context: CliContext): Promise<number> {
  return interruptible(context, async (interrupts) => {
    const { cwd, env } = context;
    const { signal: finishSignal, urgent: signal } = interrupts;
    const isElsewhere = options.agentRuntimeArn !== undefined;
    if (options.agent.length === 0 && !isElsewhere)
      refuseOption('agent', 'a file such as agent.ts, or --agent-runtime-arn', undefined);
    checkReach({ ...options, hasGateway: true, isAgentHere: options.agent.length > 0 });
    if (isElsewhere && options.agentGateway === undefined && options.reach === undefined) {
      refuseOption(
        '--agent-gateway',
        'the address of the gateway as agents on AgentCore reach it',
        undefined,
        {
          advice:
            'Listen with --gateway-host 0.0.0.0 --gateway-port 9090 where AgentCore can reach this machine, or give --reach session in its place.',
        },
      );
    }
    const { tasks, count } = await taskFiles(options.tasks, cwd);
    const name = basename(options.agent[0] ?? options.agentRuntimeArn ?? 'run').replace(/\.[a-z]+$/, '');
    const folder = resolve(cwd, options.out ?? join('.art', 'train', name));
    const training = await resolveTraining(options, cwd);
    const { choices } = training;
    const emit = eventWriter<TrainEvent>(context, options.json, (told) =>
      describe(told, choices.steps, shownPath(cwd, folder)),
    );
    const note = (message: string): void => emit({ event: 'notice', message });
    await using parts = new CleanupStack();
    const service = await openTrainingService(options, training.service, context, folder, note);
    emit({
      event: 'plan',
      plan: {
        agent: options.agent.join(' ') || options.agentRuntimeArn!,
        steps: service.described,
        folder,
        tasks: count,
        rollouts: choices.steps * choices.groupsPerStep * choices.rolloutsPerGroup,
        prices: choices.prices,
        budget: choices.stopWhen.money,
        config: training.file,
        choices: options.dryRun ? choiceLines(training) : undefined,
      },
    });
    if (options.dryRun) return exitCodes.ok;

    const onFinish = (): void => note('Finishing the step. Ctrl-C again stops at once.');
    finishSignal.addEventListener('abort', onFinish, { once: true });
    const policy = new ServedPolicy(training.sampling);
    const listen = {
      host: options.gatewayHost,
      port: options.gatewayPort ?? 0,
      allowedHosts: allowedHosts(options),
    };
    const gateway = await openTrainingGateway(policy, service, options, parts, listen);
    const agents = await openAgents(
      { ...options, sessions: 'server' },
      context,
      parts,
      folder,
      finishSignal,
      note,
    );
    const client = parts.use(
      new RolloutClient({
        ...agents.client,
        gateway: {
          url: gateway.url,
          agentUrl: options.agentGateway,
          reach: options.reach,
          trains: trainChoiceOf(options),
        },
        expId: `train-${name}`,
        onWarning: note,
      }),
    );
    const teacher = openTeacher(options, env);
    const held = await openHeldOut(options, training, service, context, parts);
    const watch = new HealthWatch(
      { purpose: 'training', rewardRange: choices.guards.rewardRange },
      note,
      // A small policy of chance calls no tool and follows no format.
      options.on === 'local' ? plumbing : undefined,
    );
    const run = train({
      service: service.service,
      policy,
      teacher,
      client,
      gateway: new GatewayClient({ url: gateway.url }),
      tasks,
      directory: folder,
      ...choices,
      evaluation: held,
      ...(options.on === 'local' && {
        // A run of this machine alone leaves nothing behind that costs money.
        register: new SessionRegister(join(folder, 'sessions.jsonl')),
        groups: { ...choices.groups, rewardRule: rehearsedReward },
      }),
      ...(agents.areElsewhere && {
        rolloutJournal: {
          journal: new FileJournal({ directory: join(folder, 'journal') }),
          runtime: agents.client.runtime,
        },
      }),
      signal,
      finishSignal,
      onNotice: note,
      onRollout: (rollout) => watch.see(rollout),
    });
    try {
      await Promise.race([follow(run, emit, folder), agents.failed]);
    } catch (error) {
      if (!ArtError.isInstance(error) || !guardCodes.has(error.code)) throw error;
      context.stderr.write(`${error.code}: ${error.message}\n`);
      return exitCodes.belowThreshold;
    } finally {
      await run.return();
      if (watch.event !== undefined) emit(watch.event);
    }
    return finishSignal.aborted ? (interrupts.exitCode ?? exitCodes.interrupted) : exitCodes.ok;
  });
}

async function follow(
  run: AsyncIterable<TrainingStep>,
  emit: (event: TrainEvent) => void,
  folder: string,
): Promise<void> {
  for await (const step of run) {
    emit({ event: 'step', ...step });
    if (step.end !== undefined) emit({ event: 'end', ...step.end, folder });
  }
}

function allowedHosts({ agentGateway }: TrainCommandOptions): string[] | undefined {
  return agentGateway === undefined ? undefined : [new URL(agentGateway).hostname];
}

function describe(event: TrainEvent, steps: number, folder: string): string {
  switch (event.event) {
    case 'plan':
      return planText(event.plan);
    case 'notice':
      return `${event.message}\n`;
    case 'step':
      return `${formatStep(event, steps)}\n`;
    case 'health':
      return formatHealth(event, `"art health ${folder} --training"`);
    case 'end':
      return `${event.message} Everything is in ${event.folder}; "art train export ${event.folder}" says where the weights are.\n`;
  }
}

import {
  type DependentCheck,
  fault,
  type Finding,
  must,
  ok,
  runDependentChecks,
  type RunChecksOptions,
  skipped,
  warning,
} from '@art/doctor';
import type { Loss, StepRow, TrainingService, TrainingSteps, WeightsRef } from '@art/train/steps';
import type { SageMakerAccount } from '@art/train-sagemaker';

export interface CheckTrainingOptions extends RunChecksOptions {
  account: SageMakerAccount;
  service: TrainingService;
  region: string;
  baseModelArn: string;
  /** True if a session may be opened, which costs some cents. */
  withSession: boolean;
}

/** A rate at which weights do not move. */
const adam = { learningRate: 1e-8, beta1: 0.9, beta2: 0.95, eps: 1e-8, weightDecay: 0, gradClipNorm: 0 };
const loss: Loss = { name: 'importance_sampling' };
const prompt = [1, 2, 3, 4];

/**
 * Checks the way to SageMaker's training sessions: first what costs nothing, then a session that makes two passes, samples once and is stopped.
 * It tells what AWS does not document: how losses are brought together, and whether a pass gives logprobs.
 */
export async function checkTraining(options: CheckTrainingOptions): Promise<Finding[]> {
  const room: SessionRoom = {};
  try {
    return await runDependentChecks([...accountChecks(options), ...sessionChecks(options, room)], options);
  } finally {
    await room.steps?.stop();
  }
}

function accountChecks({ account, region, baseModelArn, signal }: CheckTrainingOptions): DependentCheck[] {
  return [
    {
      id: 'training.credentials',
      title: 'has credentials',
      why: 'Every call of AWS is signed.',
      todo: 'Set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or log in with "aws sso login".',
      run: async () => ok(`key ${(await account.credentials()).accessKeyId.slice(0, 4)}...`),
    },
    {
      id: 'training.api',
      title: 'reaches training sessions and may list them',
      why: 'Sessions are created, watched and stopped there.',
      todo: `Give the caller the policy that the same command prints with --policies, or attach arn:aws:iam::aws:policy/AmazonSageMakerTrainingSessionAccess, and see that ${region} has training sessions.`,
      after: 'training.credentials',
      run: async () => {
        const running = await account.runningSessions(signal);
        return running.length === 0
          ? ok('no session runs')
          : warning(
              `${running.length} run and cost money: ${running.join(', ')}. "art train list" knows those of this machine`,
            );
      },
    },
    {
      id: 'training.model',
      title: 'finds the base model',
      why: 'A session is created on it.',
      todo: `Give --base-model an ARN that ${region} has: "aws sagemaker list-hub-contents --hub-name SageMakerPublicHub --hub-content-type Model".`,
      after: 'training.api',
      run: async () => {
        const model = await account.baseModel(baseModelArn, signal);
        if (model === undefined) return fault(`there is no ${baseModelArn}`);
        const tokenizer = model.tokenizerId === undefined ? '' : `, its tokenizer is ${model.tokenizerId}`;
        return must(model.status === 'Available', `${model.status}${tokenizer}`);
      },
    },
  ];
}

interface SessionRoom {
  steps?: TrainingSteps;
  weights?: WeightsRef;
}

function sessionChecks(
  { service, withSession, signal }: CheckTrainingOptions,
  room: SessionRoom,
): DependentCheck[] {
  const after = 'training.session';
  return [
    {
      id: after,
      title: 'opens a session with the role',
      why: 'The session works as the role, and writes weights to its place in S3.',
      todo: roleAdvice,
      after: 'training.model',
      run: async () => {
        if (!withSession) return skipped('A session costs some cents: --session opens one.');
        const name = `art-doctor-${Date.now()}`;
        room.steps = await service.open({ name, note: () => Promise.resolve(), signal });
        return ok(name);
      },
    },
    {
      id: 'training.pass',
      title: 'trains, adds the losses of rows up, and tells logprobs',
      why: 'Steps are scaled for a sum, and a gap of logprobs is how rows that are not aligned are noticed.',
      todo: "Where the loss is a mean, give sagemakerTraining reduction: 'token-mean'. Without logprobs watch the held-out score.",
      after,
      run: async () => {
        if (room.steps === undefined) return skipped('There is no session.');
        const one = await normOf(room.steps, [row]);
        const two = await normOf(room.steps, [row, row]);
        if (!one.hasLogprobs) return warning('the pass gave no logprobs by row');
        if (one.norm === undefined || two.norm === undefined)
          return warning('the service tells no norm of the gradient');
        const ratio = two.norm / one.norm;
        if (Math.abs(ratio - 2) < 0.1) return ok('twice the rows have twice the gradient: a sum');
        return warning(
          `twice the rows have ${ratio.toFixed(2)} times the gradient: ${Math.abs(ratio - 1) < 0.1 ? 'a mean' : 'neither a sum nor a mean'}`,
        );
      },
    },
    {
      id: 'training.sample',
      title: 'samples saved weights, with logprobs',
      why: 'Agents talk to these weights.',
      todo: 'Report what was seen: the driver expects a logprob for each token.',
      after,
      run: async () => {
        if (room.steps === undefined) return skipped('There is no session.');
        const weights = await room.steps.saveForSampling('doctor', { keep: false }).result({ signal });
        const request = { prompt, samples: 1, maxTokens: 512, temperature: 1, seed: 1, weights };
        const [sample] = await room.steps.sample(request, signal);
        return must(sample !== undefined && sample.tokens.length > 0, `${sample?.tokens.length ?? 0} tokens`);
      },
    },
    {
      id: 'training.stop',
      title: 'stops the session, also twice',
      why: 'A session costs money until it is stopped.',
      todo: 'Stop it: "aws sagemaker stop-training-session --training-session-name NAME" with the name above.',
      after,
      run: async () => {
        if (room.steps === undefined) return skipped('There is no session.');
        await room.steps.stop();
        await room.steps.stop();
        return ok('it is stopped');
      },
    },
  ];
}

const row: StepRow = {
  tokens: prompt,
  targets: [2, 3, 4, 5],
  weights: [0, 0, 1, 1],
  logprobs: [0, 0, -5, -5],
  advantages: [0, 0, 1, 1],
};

async function normOf(
  steps: TrainingSteps,
  rows: readonly StepRow[],
): Promise<{ norm: number | undefined; hasLogprobs: boolean }> {
  const pass = steps.forwardBackward(rows, loss);
  const made = steps.optimStep(adam);
  const { logprobs, metrics } = await pass.result();
  const all = { ...metrics, ...(await made.result()).metrics };
  const norm = Object.entries(all).find(([name]) => name.endsWith('grad_norm'))?.[1];
  return { norm, hasLogprobs: logprobs !== undefined };
}

const roleAdvice =
  'Make the role that the same command prints with --policies in place of --session, and give its ARN with --role-arn.';

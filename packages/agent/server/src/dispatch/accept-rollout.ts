import { prepareRun, type RunDependencies, type HandlerRequest } from '../rollout/prepare-run.ts';
import { documentPlace, type RolloutJob } from '../rollout/rollout-run.ts';

// What the request lacked, for which nobody will ever read the result.
const reasons = {
  plain:
    'the request had no _rollout. Register an invocationHandler to answer such requests, or send _rollout with exp_id, input_id and s3_bucket.',
  untargeted: '_rollout has no exp_id, input_id and s3_bucket, which say where to store it.',
} as const;

/** The kinds of requests for which an app has said that their results are kept nowhere. */
export type WarnedUnkept = Set<keyof typeof reasons>;

/**
 * Takes a rollout on. The reply, as it goes over the wire, says where the result will be; the handler runs after it has been sent.
 * @throws as {@link prepareRun}, before anything is started
 */
export async function acceptRollout(
  run: HandlerRequest,
  { warnedUnkept, ...dependencies }: RunDependencies & { warnedUnkept: WarnedUnkept },
): Promise<object> {
  const job = await prepareRun(run, dependencies);
  void dependencies.runs.start(job, async () => sayWhereUnkept(job, warnedUnkept));
  return { status: 'processing', ...documentPlace(job) };
}

/** Says that a result was computed and is kept nowhere: once for each kind of request. */
function sayWhereUnkept({ destination, context }: RolloutJob, told: WarnedUnkept): void {
  const kind = context.rollout === undefined ? 'plain' : 'untargeted';
  if (destination !== undefined || told.has(kind)) return;
  told.add(kind);
  context.log.warn(
    `The rollout handler ended, and its result is kept nowhere: ${reasons[kind]} This is logged once.`,
  );
}

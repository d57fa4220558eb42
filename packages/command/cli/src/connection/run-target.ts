import type { RunSummary } from '@art/journal';
import { ArtError } from '@art/ground';
import type { CliContext } from '../cli-context.ts';
import { findDevConnection } from './dev-connection.ts';
import { findInvokeTarget, type InvokeTarget, type TargetOptions } from './invoke-target.ts';

/** `art dev` gives its agents this account and these last characters of an id. */
const localArn = /:123456789012:runtime\/[^:/]+-local00000$/;

/**
 * Where the sessions of a run are: at the runtime that is named, else at the one that the journal names. The one of `art dev`
 * is found at whatever port it is now.
 * @param options what a user says instead of the journal
 * @throws ArtError `ART_INVALID_OPTION`, `ART_INVALID_ARN`, `ART_NO_DEV_INSTANCE`
 */
export async function findRunTarget(
  run: Pick<RunSummary, 'runId' | 'agentRuntimeArn' | 'bucket'>,
  options: Pick<TargetOptions, 'arn' | 'endpoint'>,
  context: Pick<CliContext, 'cwd' | 'env'>,
  signal?: AbortSignal,
): Promise<InvokeTarget> {
  const { bucket } = run;
  const { endpoint } = options;
  // Whatever bucket is at hand: a run keeps to where its results were to come from.
  const wire = bucket === undefined ? 'rip' : 's3';
  const find = (name?: string): Promise<InvokeTarget> =>
    findInvokeTarget({ arn: name, bucket, endpoint, wire }, context, signal);
  const arn = options.arn ?? run.agentRuntimeArn;
  if (options.arn === undefined && endpoint === undefined) {
    const found = findDevConnection(context.cwd);
    const devArn = found.kind === 'running' ? found.connection.agentRuntimeArn : undefined;
    const isOfDev = arn !== undefined && localArn.test(arn);
    if (devArn === undefined ? isOfDev : arn === undefined || arn === devArn) return find();
    if (isOfDev)
      throw new ArtError({
        code: 'ART_NO_DEV_INSTANCE',
        message: `Run ${JSON.stringify(run.runId)} is of the local agent ${arn}, and the "art dev" that runs here is of ${devArn}. Start the other one, or name an agent with --arn and --endpoint.`,
      });
  }
  if (arn === undefined)
    throw new ArtError({
      code: 'ART_INVALID_OPTION',
      message: `Expected --arn, got none: run ${JSON.stringify(run.runId)} was started by a program with its own runtime, which its journal cannot name.`,
    });
  return find(arn);
}

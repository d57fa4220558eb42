import { ArtError } from '@art/protocol';
import type { RunSummary } from '@art/journal';
import type { CliContext } from '../cli-context.ts';
import { findDevConnection } from './dev-connection.ts';
import { findInvokeTarget, type InvokeTarget } from './invoke-target.ts';

/** What a user may say of the runtime of a run, instead of what the journal says. */
export interface RunTargetOptions {
  arn?: string | undefined;
  endpoint?: string | undefined;
}

/** `art dev` gives its agents this account and these last characters of an id. */
const localArn = /:123456789012:runtime\/[^:/]+-local00000$/;

/**
 * Where the sessions of a run are: at the runtime that is named, else at the one that the journal names. The one of `art dev`
 * is found at whatever port it is now.
 * @throws ArtError `ART_INVALID_OPTION`, `ART_INVALID_ARN`, `ART_NO_DEV_INSTANCE`
 */
export async function findRunTarget(
  run: Pick<RunSummary, 'runId' | 'agentRuntimeArn' | 'bucket'>,
  options: RunTargetOptions,
  context: Pick<CliContext, 'cwd' | 'env'>,
  signal?: AbortSignal,
): Promise<InvokeTarget> {
  const { bucket } = run;
  // Whatever bucket is at hand: a run keeps to where its results were to come from.
  return { ...(await findRuntime(run, options, context, signal)), bucket };
}

async function findRuntime(
  run: Pick<RunSummary, 'runId' | 'agentRuntimeArn' | 'bucket'>,
  options: RunTargetOptions,
  context: Pick<CliContext, 'cwd' | 'env'>,
  signal: AbortSignal | undefined,
): Promise<InvokeTarget> {
  const { bucket } = run;
  const { endpoint } = options;
  const arn = options.arn ?? run.agentRuntimeArn;
  if (options.arn !== undefined || endpoint !== undefined) {
    if (arn === undefined) throw runtimeUnknown(run.runId);
    return findInvokeTarget({ arn, bucket, endpoint }, context, signal);
  }
  const found = await findDevConnection(context.cwd);
  const devArn = found.kind === 'running' ? found.connection.agentRuntimeArn : undefined;
  if (devArn !== undefined && (arn === undefined || arn === devArn))
    return findInvokeTarget({ bucket }, context, signal);
  if (arn === undefined) throw runtimeUnknown(run.runId);
  if (!localArn.test(arn)) return findInvokeTarget({ arn, bucket }, context, signal);
  if (devArn === undefined) return findInvokeTarget({ bucket }, context, signal);
  throw new ArtError({
    code: 'ART_NO_DEV_INSTANCE',
    message: `Run ${JSON.stringify(run.runId)} is of the local agent ${arn}, and the "art dev" that runs here is of ${devArn}. Start the other one, or name an agent with --arn and --endpoint.`,
  });
}

function runtimeUnknown(runId: string): ArtError {
  return new ArtError({
    code: 'ART_INVALID_OPTION',
    message: `Expected --arn, got none: run ${JSON.stringify(runId)} was started by a program with a runtime of its own, which its journal cannot name.`,
  });
}

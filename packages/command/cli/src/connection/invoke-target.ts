import { ArtError, isLoopback, refuseOption } from '@art/ground';
import { parseAgentRuntimeArn } from '@art/protocol';
import type { CliContext } from '../cli-context.ts';
import { findDevConnection, type FoundConnection } from './dev-connection.ts';

/** Where a rollout goes. */
export interface InvokeTarget {
  agentRuntimeArn: string;
  /** Undefined where results come from sessions. */
  bucket: string | undefined;
  region: string;
  /** Undefined for AWS's own endpoints, or those that the environment names. */
  endpoint: string | undefined;
  /** `local`: made-up keys, which a local AWS takes. `aws`: what the SDK finds in its environment. */
  credentials: 'local' | 'aws';
}

/** How a user names it. */
export interface TargetOptions {
  /** Runtime on AgentCore. @default the `art dev` of this folder */
  arn?: string | undefined;
  bucket?: string | undefined;
  endpoint?: string | undefined;
  /** @default 's3' where there is a bucket, else 'rip' */
  wire?: 's3' | 'rip' | undefined;
}

/** An instance that is gone refuses the connection at once; the limit is for another server that accepts it and says nothing. */
const probeTimeoutMs = 30_000;

/**
 * Decides where a rollout goes: to the runtime that is named, else to the running `art dev`.
 * @throws ArtError `ART_INVALID_OPTION`, `ART_INVALID_ARN`, `ART_NO_DEV_INSTANCE`
 */
export async function findInvokeTarget(
  options: TargetOptions,
  context: Pick<CliContext, 'cwd' | 'env'>,
  signal?: AbortSignal,
): Promise<InvokeTarget> {
  if (options.arn !== undefined) return namedTarget(options.arn, options, context.env);
  if (options.endpoint !== undefined) {
    refuseOption('--arn', 'given beside --endpoint', undefined, {
      advice: 'A runtime is found by its ARN; "art dev" prints its own.',
    });
  }
  const found = findDevConnection(context.cwd);
  if (found.kind !== 'running') throw noInstance(describeAbsence(found));
  const { agentRuntimeArn, bucket, region, endpoint, pid } = found.connection;
  await probe(endpoint, pid, signal);
  const ofWire = options.wire === 'rip' ? undefined : (options.bucket ?? bucket);
  return { agentRuntimeArn, bucket: ofWire, region, endpoint, credentials: 'local' };
}

function namedTarget(
  arn: string,
  { bucket, endpoint, wire }: TargetOptions,
  env: CliContext['env'],
): InvokeTarget {
  const { region } = parseAgentRuntimeArn(arn);
  if (wire === 's3' && bucket === undefined) {
    refuseOption('--bucket', 'given beside --wire s3', undefined, {
      advice: 'It names where the result is stored.',
    });
  }
  const url = endpoint ?? env['AWS_ENDPOINT_URL'];
  const hasKeys = env['AWS_ACCESS_KEY_ID'] !== undefined || env['AWS_PROFILE'] !== undefined;
  const isLocal = url !== undefined && URL.canParse(url) && isLoopback(new URL(url).hostname);
  const credentials = isLocal && !hasKeys ? 'local' : 'aws';
  return { agentRuntimeArn: arn, bucket, region, endpoint, credentials };
}

/** The process may be another one that got the number of a dead one. */
async function probe(endpoint: string, pid: number, signal: AbortSignal | undefined): Promise<void> {
  const limit = AbortSignal.timeout(probeTimeoutMs);
  try {
    const answer = await fetch(`${endpoint}/_art/metrics`, {
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    });
    await answer.body?.cancel();
    if (answer.ok) return;
  } catch {
    signal?.throwIfAborted();
  }
  throw noInstance(`The one with pid ${pid} does not answer at ${endpoint}.`);
}

function describeAbsence(found: Exclude<FoundConnection, { kind: 'running' }>): string {
  if (found.kind === 'none') return 'None runs in this folder or one above it.';
  const who = found.pid === undefined ? 'is not readable' : `is of process ${found.pid}, which has ended`;
  return `${found.path} ${who}.`;
}

function noInstance(why: string): ArtError {
  return new ArtError({
    code: 'ART_NO_DEV_INSTANCE',
    message: `Expected a running "art dev" to send the rollout to. ${why} Start one with "art dev agent.ts", or name a runtime with --arn.`,
  });
}

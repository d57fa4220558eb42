import { partitionOfRegion } from '@art/ground';

/** A document of rights, as IAM reads it. */
export interface PolicyDocument {
  Version: '2012-10-17';
  Statement: {
    Sid: string;
    Effect: 'Allow';
    Action: string | string[];
    Resource: string | string[];
    Condition?: Record<string, Record<string, string>>;
  }[];
}

/** Where results go. */
export interface ResultPlace {
  bucket: string;
  /** The folder of all keys, which is the experiment's id; `math-*` is all whose id begins so. @default `''`, the whole bucket */
  keyPrefix?: string | undefined;
  /** @default `aws` */
  partition?: string | undefined;
  /** True if the agent writes into a folder that its role has mounted. @default false */
  isMounted?: boolean | undefined;
}

/** Which runtimes a client may call. */
export interface RuntimePlace {
  /** Exactly this one. */
  agentRuntimeArn?: string | undefined;
  /** The name on AWS, `{project}_{runtime}`; its id is not known before the first deployment. */
  name: string;
  /** @default any */
  region?: string | undefined;
  /** @default any */
  account?: string | undefined;
}

/**
 * Rights that an agent needs beside those that AWS's CLI gives every agent (models, logs, traces): to write its results. It can neither
 * read nor list nor remove them. A conditional PUT needs no more. Mountpoint for S3 also lists and reads what it mounts.
 */
export function agentPolicy(place: ResultPlace): PolicyDocument {
  const isMounted = place.isMounted === true;
  const Action = isMounted ? ['s3:GetObject', 's3:PutObject', 's3:AbortMultipartUpload'] : 's3:PutObject';
  const Sid = isMounted ? 'UseMountedResults' : 'PutResults';
  return {
    Version: '2012-10-17',
    Statement: [
      { Sid, Effect: 'Allow', Action, Resource: objectsOf(place) },
      ...(isMounted ? [listing('ListMountedResults', place)] : []),
    ],
  };
}

/** Rights that a trainer or an evaluation needs: to call the agent, to stop its sessions, and to read results where there is a bucket. */
export function clientPolicy(runtime: RuntimePlace, results?: ResultPlace): PolicyDocument {
  const { region = '*', account = '*' } = runtime;
  const arn =
    runtime.agentRuntimeArn ??
    `arn:${partitionOfRegion(runtime.region).name}:bedrock-agentcore:${region}:${account}:runtime/${runtime.name}-*`;
  const policy: PolicyDocument = {
    Version: '2012-10-17',
    Statement: [
      {
        Sid: 'CallAndStopSessions',
        Effect: 'Allow',
        Action: ['bedrock-agentcore:InvokeAgentRuntime', 'bedrock-agentcore:StopRuntimeSession'],
        Resource: [arn, `${arn}/runtime-endpoint/*`],
      },
    ],
  };
  if (results === undefined) return policy;
  policy.Statement.push(
    { Sid: 'GetResults', Effect: 'Allow', Action: 's3:GetObject', Resource: objectsOf(results) },
    // Without this right S3 answers 403 for a result that is not there yet.
    listing('NoticeResults', results),
  );
  return policy;
}

function listing(
  Sid: string,
  { bucket, keyPrefix = '', partition = 'aws' }: ResultPlace,
): PolicyDocument['Statement'][number] {
  return {
    Sid,
    Effect: 'Allow',
    Action: 's3:ListBucket',
    Resource: `arn:${partition}:s3:::${bucket}`,
    ...(keyPrefix !== '' && { Condition: { StringLike: { 's3:prefix': keysBelow(keyPrefix) } } }),
  };
}

function objectsOf({ bucket, keyPrefix = '', partition = 'aws' }: ResultPlace): string {
  return `arn:${partition}:s3:::${bucket}/${keysBelow(keyPrefix)}`;
}

/** Not `math*`, which is also what others have in `mathematics/`. */
function keysBelow(keyPrefix: string): string {
  return keyPrefix === '' ? '*' : `${keyPrefix.replace(/\/+$/, '')}/*`;
}

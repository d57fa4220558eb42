import { randomUUID } from 'node:crypto';
import { parseAgentRuntimeArn } from '@art/protocol';
import { describeThrown, partitionOfRegion, reachAdvice } from '@art/ground';
import { BedrockAgentCoreClient, StopRuntimeSessionCommand } from '@aws-sdk/client-bedrock-agentcore';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { gatewayAddress, gatewayReach } from './checks/gateway-reach.ts';
import { fault, type Finding, must, news, ok, type Seen, skipped, warning } from './finding.ts';
import { reachChecks, reachStopCheck } from './reach/reach-checks.ts';
import { ReachRoom } from './reach/reach-room.ts';
import { ask } from './room/ask.ts';
import { type DependentCheck, failed, runDependentChecks, type RunChecksOptions } from './run-checks.ts';

export interface CheckClientOptions extends RunChecksOptions {
  agentRuntimeArn: string;
  /** @default `DEFAULT`, as the service has it */
  qualifier?: string | undefined;
  /** Bucket of the results; without it these checks are skipped. */
  bucket?: string | undefined;
  /** Address of a model gateway; without it this check is skipped. */
  gatewayUrl?: string | undefined;
  /** A request that the agent can answer: with it and a gateway one session is started. @default no session is started */
  payload?: Readonly<Record<string, unknown>> | undefined;
  /** Asks the control plane for all that is known of a runtime, by its id. @default the platform version is not looked at */
  getRuntime?: ((runtimeId: string) => Promise<Readonly<Record<string, unknown>>>) | undefined;
  /** Asks if sockets work as `reach: 'session'` needs them: two sessions are started to find out. @default not asked */
  reach?: ReachCheckOptions | undefined;
}

export interface ReachCheckOptions {
  /** A request that the agent answers after it has asked its model. */
  payload: Readonly<Record<string, unknown>>;
  /** How long a model call is kept waiting, in milliseconds. @default 240_000 */
  holdMs?: number | undefined;
}

// Longer than any idle time of a socket that is known, shorter than the clients of models wait.
const defaultHoldMs = 240_000;
/** AWS signs with the time: it refuses what is more than 5 minutes off. */
const mostSkewMs = 5 * 60_000;
const timeoutMs = 20_000;

/**
 * Checks what a trainer or an evaluation needs to reach an agent on AgentCore, with the credentials of this environment. Sessions are
 * started only with `payload` and `reach`, and stopped again, also where the signal aborts. One object is written below `art-doctor/` and removed again, where the rights allow both.
 * @throws ArtError `ART_INVALID_ARN`; the signal's reason
 */
export async function checkClient(options: CheckClientOptions): Promise<Finding[]> {
  const { region } = parseAgentRuntimeArn(options.agentRuntimeArn);
  const s3 = new S3Client({ region, maxAttempts: 2, forcePathStyle: hasEndpoint() });
  const agentCore = new BedrockAgentCoreClient({ region, maxAttempts: 2 });
  const checks = clientChecks(options, region, s3, agentCore);
  const { reach, onFinding, signal } = options;
  const room = reach && new ReachRoom(options, reach.payload);
  if (room !== undefined) checks.push(...reachChecks(room, reach?.holdMs ?? defaultHoldMs, signal));
  try {
    return await runDependentChecks(checks, options);
  } finally {
    await closeRoom(room, onFinding);
    s3.destroy();
    agentCore.destroy();
  }
}

/** An interrupt leaves no session either, or the last finding names it. */
async function closeRoom(
  room: ReachRoom | undefined,
  onFinding: CheckClientOptions['onFinding'],
): Promise<void> {
  const seen = await room?.close();
  if (room === undefined || seen?.verdict !== 'fault') return;
  const { id, title, why, todo } = reachStopCheck(room);
  onFinding?.({ id, title, why, todo, ...seen });
}

function clientChecks(
  { agentRuntimeArn, qualifier, bucket, gatewayUrl, payload, getRuntime }: CheckClientOptions,
  region: string,
  s3: S3Client,
  agentCore: BedrockAgentCoreClient,
): DependentCheck[] {
  const inBucket = (run: (name: string) => Promise<Seen>) => async (): Promise<Seen> =>
    bucket === undefined ? skipped('No --bucket was given.') : run(bucket);
  const key = `art-doctor/${randomUUID()}.json`;
  return [
    {
      id: 'client.credentials',
      title: 'has credentials',
      why: 'Every call of AWS is signed.',
      todo: 'Set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or log in with "aws sso login".',
      run: async () => ok(`key ${(await s3.config.credentials()).accessKeyId.slice(0, 4)}...`),
    },
    {
      id: 'client.region',
      title: 'works in the region of the agent',
      why: 'A bucket or key of another region costs time, and may not be reachable at all.',
      todo: `Set AWS_REGION=${region}.`,
      run: async () => {
        const own = process.env['AWS_REGION'] ?? process.env['AWS_DEFAULT_REGION'];
        return own === undefined || own === region ? ok(region) : warning(`${own}, and ${region} in the ARN`);
      },
    },
    {
      id: 'client.platform-version',
      title: 'calls a runtime whose platform version is known',
      why: 'V2 restores every session from one snapshot of the process: what the agent drew, read or opened before it, all sessions share.',
      todo: 'Allow bedrock-agentcore:GetAgentRuntime, or look in the console of AWS.',
      run: async () => {
        const id = /runtime\/([^/]+)/.exec(agentRuntimeArn)?.[1];
        if (getRuntime === undefined || id === undefined)
          return skipped('Not observed: the control plane was not asked.');
        let version: unknown;
        try {
          ({ platformVersion: version } = await getRuntime(id));
        } catch (error) {
          return skipped(`Not observed: ${describeThrown(error).message}`);
        }
        if (version === 'V2')
          return news(
            'V2: sessions are restored from one snapshot. "art doctor agent.ts" shows what they would share.',
          );
        return typeof version === 'string' ? news(version) : skipped('Not observed: AWS names no version.');
      },
    },
    {
      id: 'client.clock',
      title: 'has a clock that is right',
      why: 'AWS refuses signatures that are more than 5 minutes old, or from the future.',
      todo: 'Set the clock, for example with an NTP client.',
      run: async () => {
        const endpoint = process.env['AWS_ENDPOINT_URL_S3'] ?? process.env['AWS_ENDPOINT_URL'];
        const response = await fetch(
          endpoint ?? `https://s3.${region}.${partitionOfRegion(region).dnsSuffix}/`,
          {
            signal: AbortSignal.timeout(timeoutMs),
          },
        );
        const date = response.headers.get('date');
        if (date === null) return skipped('The answer has no date.');
        const skewMs = Math.abs(Date.parse(date) - Date.now());
        return must(skewMs < mostSkewMs, `${Math.round(skewMs / 1000)} s off`);
      },
    },
    {
      id: 'client.runtime',
      title: 'reaches the agent and may stop its sessions',
      why: 'Rollouts are started and stopped through these two operations.',
      after: 'client.credentials',
      todo: 'Allow bedrock-agentcore:InvokeAgentRuntime and bedrock-agentcore:StopRuntimeSession on the ARN and on ARN/runtime-endpoint/*.',
      run: async () => {
        // A session that does not exist: the answer tells about rights and address, and costs nothing.
        const command = new StopRuntimeSessionCommand({
          agentRuntimeArn,
          qualifier,
          runtimeSessionId: `art-doctor-${randomUUID()}`,
        });
        try {
          await agentCore.send(command);
          return ok('it answers');
        } catch (error) {
          const { name, message } = error as Error;
          // The same status says that there is no such agent.
          const isUnknownSession = statusOf(error) === 404 && /terminated/i.test(message);
          return isUnknownSession ? ok('it answers') : fault(`${name}: ${message}`);
        }
      },
    },
    {
      id: 'client.bucket',
      title: 'finds the bucket of the results',
      why: 'Without it no rollout has a result.',
      todo: `Give its name with --bucket, or make it in the region of the agent: "aws s3 mb s3://NAME --region ${region}".`,
      after: 'client.credentials',
      run: inBucket(async (name) => {
        try {
          await s3.send(new HeadBucketCommand({ Bucket: name }));
          return ok('it is there');
        } catch (error) {
          const status = statusOf(error);
          if (status === 404) return fault(`404: there is no bucket ${name}`);
          if (status === 301) return fault(`301: the bucket ${name} is in another region`);
          // Without the right to list it the service says no more.
          return status === 403 ? ok('there is one of this name') : failed(error);
        }
      }),
    },
    {
      id: 'client.bucket-list',
      title: 'may list the results',
      why: 'The client looks for many results by one request.',
      after: 'client.bucket',
      todo: 'Allow s3:ListBucket on the bucket. Without it each result is looked for alone.',
      run: inBucket(async (name) => {
        try {
          await s3.send(new ListObjectsV2Command({ Bucket: name, Prefix: 'art-doctor/', MaxKeys: 1 }));
          return ok('yes');
        } catch (error) {
          return statusOf(error) === 403 ? warning('403: access denied') : failed(error);
        }
      }),
    },
    {
      id: 'client.bucket-get',
      title: 'may read the results',
      why: 'Without this right no rollout has a result.',
      after: 'client.bucket',
      todo: 'Allow s3:GetObject on the objects of the bucket, and s3:ListBucket, so that a missing object is 404 and not 403.',
      run: inBucket(async (name) => {
        try {
          await s3.send(new GetObjectCommand({ Bucket: name, Key: key }));
          return ok('yes');
        } catch (error) {
          const status = statusOf(error);
          if ((error as Error).name === 'NoSuchKey') return ok('yes');
          return status === 403 ? warning('403: the object is not there, or may not be read') : failed(error);
        }
      }),
    },
    {
      id: 'client.bucket-put',
      title: 'may write, which only journals in the bucket need',
      why: 'Results are written by the agent, with its own role.',
      after: 'client.bucket',
      todo: 'Allow s3:PutObject where a journal is kept in the bucket.',
      run: inBucket(async (name) => {
        try {
          await s3.send(new PutObjectCommand({ Bucket: name, Key: key, Body: '{}' }));
        } catch (error) {
          return statusOf(error) === 403 ? ok('no, and it need not') : failed(error);
        }
        const isRemoved = await s3.send(new DeleteObjectCommand({ Bucket: name, Key: key })).then(
          () => true,
          () => false,
        );
        return ok(isRemoved ? 'yes' : `yes; ${key} was written and may not be removed`);
      }),
    },
    {
      id: 'client.gateway',
      title: 'reaches the model gateway',
      why: 'Without it there are no sessions, and no rollout begins.',
      todo: 'Start "art gateway", or name the address at which this machine reaches it. The agent must reach it, too.',
      run: async () => {
        if (gatewayUrl === undefined) return skipped('No --gateway was given.');
        const { status } = await ask(`${gatewayUrl.replace(/\/$/, '')}/health`, { timeoutMs });
        return must(status === 200, `status ${status} of ${gatewayUrl}/health`);
      },
    },
    {
      id: 'client.gateway-address',
      title: 'gives agents a gateway that they can reach',
      why: 'Where they cannot, every rollout fails, or is worth nothing.',
      todo: reachAdvice,
      run: async () => {
        if (gatewayUrl === undefined) return skipped('No --gateway was given.');
        return hasEndpoint() ? skipped('The agent runs on a local AgentCore.') : gatewayAddress(gatewayUrl);
      },
    },
    {
      id: 'client.gateway-reach',
      title: 'has an agent whose machine connects to the gateway',
      why: 'The agent calls its model there.',
      todo: reachAdvice,
      after: 'client.runtime',
      run: async () => {
        if (gatewayUrl === undefined) return skipped('No --gateway was given.');
        if (payload === undefined) return skipped('--session starts one to find out.');
        return gatewayReach({ agentCore, agentRuntimeArn, qualifier, gatewayUrl, payload });
      },
    },
  ];
}

function hasEndpoint(): boolean {
  return (process.env['AWS_ENDPOINT_URL_S3'] ?? process.env['AWS_ENDPOINT_URL']) !== undefined;
}

function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
}

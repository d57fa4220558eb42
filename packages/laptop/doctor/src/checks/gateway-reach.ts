import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import { pause, isLoopback } from '@art/ground';
import {
  formatRipRequest,
  type InvocationState,
  parseInvocationState,
  ripEnvelopeField,
} from '@art/protocol';
import {
  type BedrockAgentCoreClient,
  InvokeAgentRuntimeCommand,
  StopRuntimeSessionCommand,
} from '@aws-sdk/client-bedrock-agentcore';
import { fault, ok, type Seen, skipped, warning } from '../finding.ts';

const answerWithinMs = 60_000;
const questionEveryMs = 1_000;

// Sources: RFC 1918, RFC 3927, RFC 6598, RFC 4193, RFC 4291; names of RFC 6762.
const privateHost =
  /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|\[?f[cd][0-9a-f]{2}:|\[?fe80:)|\.(local|internal|lan)$/i;

/** Says what the address of a gateway means for the way to it from a machine of AWS's. */
export function gatewayAddress(gatewayUrl: string): Seen {
  const { hostname, protocol } = new URL(gatewayUrl);
  if (isLoopback(hostname)) return fault(`${hostname} is this machine, and no agent on AgentCore reaches it`);
  if (privateHost.test(hostname) || (!hostname.includes('.') && isIP(hostname) === 0))
    return warning(`${hostname} is private: only a runtime in VPC mode can reach it`);
  return protocol === 'https:'
    ? ok(`${hostname} may be public`)
    : warning(`${hostname} may be public, but without TLS everybody on the way reads along`);
}

export interface GatewayReachOptions {
  agentCore: BedrockAgentCoreClient;
  agentRuntimeArn: string;
  qualifier: string | undefined;
  gatewayUrl: string;
  /** A request that the agent can answer. */
  payload: Readonly<Record<string, unknown>>;
}

/** Starts a session with a rollout whose model is at the gateway, asks whether its machine reached that, and stops the session. */
export async function gatewayReach({
  agentCore,
  agentRuntimeArn,
  qualifier,
  gatewayUrl,
  payload,
}: GatewayReachOptions): Promise<Seen> {
  const runtimeSessionId = `art-doctor-${randomUUID()}`;
  const invocationId = randomUUID();
  const baseUrl = `${gatewayUrl.replace(/\/$/, '')}/sessions/${runtimeSessionId}/v1`;
  const start = {
    ...payload,
    _config: { base_url: baseUrl, model_id: 'art-doctor' },
    [ripEnvelopeField]: formatRipRequest({ operation: 'start', invocationId, background: true }),
  };
  const get = { [ripEnvelopeField]: formatRipRequest({ operation: 'get', invocationId }) };
  const json = 'application/json';
  const names = { agentRuntimeArn, qualifier, runtimeSessionId };
  const abortSignal = AbortSignal.timeout(answerWithinMs);
  const send = async (body: object): Promise<InvocationState | undefined> => {
    const command = new InvokeAgentRuntimeCommand({
      ...names,
      contentType: json,
      accept: json,
      payload: Buffer.from(JSON.stringify(body)),
    });
    const { response } = await agentCore.send(command, { abortSignal });
    return parseInvocationState((await response?.transformToString()) ?? '', invocationId);
  };
  try {
    let state = await send(start);
    // A call to an address that swallows packets waits for minutes; the agent's server tells of it meanwhile.
    while (state?.status === 'in_progress' && state.unreachable === undefined) {
      await pause(questionEveryMs, { signal: abortSignal });
      state = await send(get);
    }
    return state === undefined ? skipped('The agent does not speak RIP, so it does not say.') : seenOf(state);
  } catch (error) {
    if (!abortSignal.aborted) throw error;
    return warning(
      `The agent did not end within ${answerWithinMs / 1_000} s, nor did it say that the gateway is out of reach.`,
    );
  } finally {
    await agentCore.send(new StopRuntimeSessionCommand(names)).catch(() => undefined);
  }
}

function seenOf(state: InvocationState): Seen {
  if (state.status !== 'completed' && state.status !== 'in_progress')
    return skipped(`The invocation is ${state.status}.`);
  return state.unreachable === undefined ? ok('its machine can connect to it') : fault(state.unreachable);
}

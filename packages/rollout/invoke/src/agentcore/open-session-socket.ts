import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { jsonIn, readMember } from '@art/ground';
import type { SessionSocket, SocketOptions } from '@art/protocol';
import { type BedrockAgentCoreClient, GetAgentCardCommand } from '@aws-sdk/client-bedrock-agentcore';
import { WebSocket } from 'ws';
import type { AgentCoreRuntimeSettings } from './agentcore-runtime-options.ts';

interface SignedRequest {
  protocol: string;
  hostname: string;
  port?: number;
  path: string;
  query?: Record<string, string>;
  headers: Record<string, string>;
}

/** A handshake that was answered with something else, in the form of the SDK's errors. */
class HandshakeError extends Error {
  readonly $metadata: { httpStatusCode: number | undefined; requestId: string | undefined };

  constructor(message: string, { statusCode, headers }: IncomingMessage) {
    super(message);
    const requestId = headers['x-amzn-requestid'];
    this.name = String(headers['x-amzn-errortype'] ?? 'HandshakeError').split(':')[0]!;
    this.$metadata = { httpStatusCode: statusCode, requestId: requestId?.toString() };
  }
}

// No message is larger on AgentCore.
const maxPayload = 65_536;
const mostOfARefusal = 2_000;

/**
 * InvokeAgentRuntimeWithWebSocketStream: opens `/ws` of a session with signed headers. The SDK has no such command, so another one
 * of the same session is signed for this path and not sent: endpoint, credentials and whatever else the client was made with
 * count here as they do everywhere. A presigned URL would be a secret; there is none.
 * Source: Bedrock AgentCore developer guide, bidirectional streaming over WebSocket.
 */
export async function openSessionSocket(
  client: BedrockAgentCoreClient,
  { agentRuntimeArn, qualifier, userId, requestTimeoutMs }: AgentCoreRuntimeSettings,
  sessionId: string,
  { signal, query: added }: { signal: AbortSignal; query: SocketOptions['query'] },
): Promise<SessionSocket> {
  const input = { agentRuntimeArn: agentRuntimeArn.arn, runtimeSessionId: sessionId, qualifier };
  const request = await signedRequest(client, input, { userId, query: added });
  const { protocol, hostname, port, path, query = {}, headers } = request;
  const origin = `${protocol === 'http:' ? 'ws' : 'wss'}://${hostname}${port === undefined ? '' : `:${port}`}`;
  const socket = new WebSocket(`${origin}${path}?${new URLSearchParams(query).toString()}`, {
    headers,
    maxPayload,
    perMessageDeflate: false,
    handshakeTimeout: requestTimeoutMs,
  });
  const refused = Promise.withResolvers<never>();
  socket.once('unexpected-response', (_request: unknown, response: IncomingMessage) => {
    refusalOf(response).then(refused.reject, refused.reject);
  });
  try {
    await Promise.race([once(socket, 'open', { signal }), refused.promise]);
  } catch (error) {
    socket.on('error', () => {});
    socket.terminate();
    throw error;
  }
  return socket;
}

async function signedRequest(
  client: BedrockAgentCoreClient,
  input: { agentRuntimeArn: string; runtimeSessionId: string; qualifier: string | undefined },
  { userId, query }: { userId: string | undefined; query: SocketOptions['query'] },
): Promise<SignedRequest> {
  const command = new GetAgentCardCommand(input);
  let signed: SignedRequest | undefined;
  command.middlewareStack.add(
    (next) => (args) => {
      const request = args.request as SignedRequest;
      request.path = request.path.replace(/\/invocations\/.*$/, '/ws');
      request.query = { ...request.query, ...query };
      if (userId !== undefined) request.headers['x-amzn-bedrock-agentcore-runtime-user-id'] = userId;
      return next(args);
    },
    { step: 'build' },
  );
  command.middlewareStack.add(
    () => async (args) => {
      signed = args.request as SignedRequest;
      return { response: {}, output: { $metadata: {} } } as never;
    },
    { step: 'finalizeRequest', priority: 'low' },
  );
  await client.send(command);
  return signed!;
}

async function refusalOf(response: IncomingMessage): Promise<HandshakeError> {
  let text = '';
  for await (const piece of response.setEncoding('utf8') as AsyncIterable<string>) {
    text += piece;
    if (text.length > mostOfARefusal) break;
  }
  const message = readMember(jsonIn(text), 'message');
  return new HandshakeError(typeof message === 'string' ? message : text.slice(0, mostOfARefusal), response);
}

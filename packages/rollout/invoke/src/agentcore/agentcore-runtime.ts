import { callWithin, linkSignals, ArtError, refuseOption, isClockRefusal } from '@art/ground';
import {
  acceptedAnswers,
  type AgentRuntime,
  assertSessionId,
  type CallOptions,
  type InvocationAnswer,
  type InvocationOptions,
  type InvokeRequest,
  RuntimeError,
  type SessionSocket,
  type SocketOptions,
  type StopOutcome,
} from '@art/protocol';
import {
  InvokeAgentRuntimeCommand,
  StopRuntimeSessionCommand,
  type BedrockAgentCoreClient,
} from '@aws-sdk/client-bedrock-agentcore';
import { createAgentCoreClient, isLocalEndpoint } from './agentcore-client.ts';
import {
  readAgentCoreRuntimeOptions,
  checkRequestBody,
  type AgentCoreRuntimeOptions,
  type AgentCoreRuntimeSettings,
} from './agentcore-runtime-options.ts';
import { DepartureWatch } from './departure-watch.ts';
import { openSessionSocket } from './open-session-socket.ts';
import { readBody } from './read-body.ts';
import { sessionEndpointOf } from './session-endpoint.ts';
import { sdkFailure } from './sdk-failure.ts';

// StopRuntimeSession answers within half a second, and one that was lost on the way should be sent again soon.
const longestStopMs = 10_000;

/**
 * One runtime on Amazon Bedrock AgentCore. Every call is sent once: no pacing, no retries
 * (see `PacedRuntime`, which adds both, and `createAgentCoreRuntime`, which puts them together).
 *
 * Failures are `RuntimeError`s; an aborted call rejects with its signal's reason.
 */
export class AgentCoreRuntime implements AgentRuntime, Disposable {
  readonly #settings: AgentCoreRuntimeSettings;
  readonly #closing = new AbortController();
  readonly #departures = new DepartureWatch();
  #client: BedrockAgentCoreClient | undefined;

  /** @throws ArtError `ART_INVALID_ARN`, `ART_INVALID_OPTION` */
  constructor(options: AgentCoreRuntimeOptions) {
    this.#settings = readAgentCoreRuntimeOptions(options);
  }

  /** True unless the client, or the handler of its requests, was passed in: then nobody here knows how it sends. */
  get tellsLeaving(): boolean {
    const { client, clientOptions } = this.#settings;
    return client === undefined && clientOptions.requestHandler === undefined;
  }

  get isLocal(): boolean {
    const { client, clientOptions } = this.#settings;
    return client === undefined && isLocalEndpoint(clientOptions);
  }

  /**
   * Calls InvokeAgentRuntime and reads the whole answer.
   * @throws ArtError `ART_INVALID_SESSION_ID`, `ART_INVALID_PAYLOAD`, `ART_CLOSED`, before anything is sent
   * @throws RuntimeError
   */
  async invoke(request: InvokeRequest, options: InvocationOptions = {}): Promise<InvocationAnswer> {
    assertSessionId(request.sessionId);
    const payload = checkRequestBody(request.body);
    const { agentRuntimeArn, qualifier, userId } = this.#settings;
    // Without these two the SDK announces octet-stream, which the platform passes on to the container as it is.
    const command = new InvokeAgentRuntimeCommand({
      agentRuntimeArn: agentRuntimeArn.arn,
      runtimeSessionId: request.sessionId,
      contentType: 'application/json',
      accept: acceptedAnswers,
      payload,
      qualifier,
      runtimeUserId: userId,
    });
    const sessionEndpoint = sessionEndpointOf(command);
    let hasLeft = this.tellsLeaving ? false : undefined;
    const leave = (): void => {
      hasLeft = true;
      options.onLeaving?.();
    };
    const endWatch = this.tellsLeaving ? this.#departures.watch(request.sessionId, leave) : undefined;
    try {
      const send = async (client: BedrockAgentCoreClient, abortSignal: AbortSignal) => {
        const output = await client.send(command, { abortSignal });
        return {
          body: await readBody(output.response, abortSignal),
          sessionId: output.runtimeSessionId,
          requestId: output.$metadata.requestId,
          sessionEndpointUrl: sessionEndpoint(),
        };
      };
      const { requestTimeoutMs: timeoutMs } = this.#settings;
      return await this.#exchange('InvokeAgentRuntime', timeoutMs, options.signal, send, () => hasLeft);
    } finally {
      endWatch?.();
    }
  }

  /**
   * Calls StopRuntimeSession. A session that is already gone is `not_found`, not an error.
   * @throws ArtError `ART_INVALID_SESSION_ID`, `ART_CLOSED`
   * @throws RuntimeError
   */
  async stop(sessionId: string, options: CallOptions = {}): Promise<StopOutcome> {
    assertSessionId(sessionId);
    const { agentRuntimeArn, qualifier, requestTimeoutMs } = this.#settings;
    const timeoutMs = Math.min(requestTimeoutMs, longestStopMs);
    const command = new StopRuntimeSessionCommand({
      agentRuntimeArn: agentRuntimeArn.arn,
      runtimeSessionId: sessionId,
      qualifier,
    });
    try {
      await this.#exchange('StopRuntimeSession', timeoutMs, options.signal, async (client, abortSignal) =>
        client.send(command, { abortSignal }),
      );
      return { kind: 'stopped' };
    } catch (error) {
      if (RuntimeError.isInstance(error) && error.httpStatus === 404) return { kind: 'not_found' };
      throw error;
    }
  }

  /**
   * Opens the WebSocket of a session.
   * @throws ArtError `ART_INVALID_SESSION_ID`, `ART_CLOSED`
   * @throws RuntimeError
   */
  async openSocket(sessionId: string, { signal: given, query }: SocketOptions = {}): Promise<SessionSocket> {
    assertSessionId(sessionId);
    const { requestTimeoutMs } = this.#settings;
    return this.#exchange(
      'InvokeAgentRuntimeWithWebSocketStream',
      requestTimeoutMs,
      given,
      (client, signal) => openSessionSocket(client, this.#settings, sessionId, { signal, query }),
    );
  }

  /**
   * Checks that a request could be signed: an SDK client asks for its region only when it sends.
   * @throws ArtError `ART_INVALID_OPTION`
   */
  async check(): Promise<void> {
    const { agentRuntimeArn, client } = this.#settings;
    // A client made here has the region of the ARN.
    if (client === undefined) return;
    try {
      await client.config.region();
    } catch (cause) {
      const advice = `Make it with region ${JSON.stringify(agentRuntimeArn.region)}, that of the runtime, or set AWS_REGION.`;
      refuseOption('client', 'one with a region', client, { advice, cause });
    }
  }

  /** Aborts running calls with `ART_CLOSED` and closes the connections, unless the client was passed in. */
  close(): void {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort(
      new ArtError({
        code: 'ART_CLOSED',
        message: 'This AgentCoreRuntime was closed; create another one to make further calls.',
      }),
    );
    if (this.#settings.client === undefined) this.#client?.destroy();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  async #exchange<T>(
    operation: string,
    timeoutMs: number,
    callerSignal: AbortSignal | undefined,
    send: (client: BedrockAgentCoreClient, signal: AbortSignal) => Promise<T>,
    hasLeft: () => boolean | undefined = () => undefined,
  ): Promise<T> {
    const link = linkSignals(callerSignal, this.#closing.signal);
    const { signal } = link;
    const call = async (callSignal: AbortSignal): Promise<T> => {
      // Created at the first call: a client made at start-up would be cloned with a snapshot of the process.
      const client = (this.#client ??= this.#settings.client ?? createAgentCoreClient(this.#settings));
      try {
        return await send(client, callSignal);
      } catch (error) {
        // Certainly not delivered, and the SDK knows the service's clock by now.
        if (!(error instanceof Error) || !isClockRefusal(error.name, error.message)) throw error;
        return send(client, callSignal);
      }
    };
    try {
      return await callWithin(call, { signal, timeoutMs, timeoutError: noAnswer });
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw sdkFailure(operation, error, hasLeft());
    } finally {
      link.unlink();
    }
  }
}

function noAnswer(timeoutMs: number): Error {
  return new Error(`no answer within ${timeoutMs} ms`);
}

import { once } from 'node:events';
import { appendFileSync, closeSync, fsyncSync, openSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import {
  type Clock,
  pause,
  systemClock,
  makeDirectory,
  refusedCaller,
  refuseMalformed,
  requestTimeLimits,
} from '@art/ground';
import { LocalSession, type PolicyShape } from '@art/train/local';
import { controlPlane } from './control-plane.ts';
import { controlOperation, type StandInCall, readStandInCall } from './read-call.ts';
import { PackageShelf } from './package-shelf.ts';
import { type LossReduction, SessionOperations } from './session-operations.ts';
import { type AppliedOperation, type OperationFault, TrainingSession } from './training-session.ts';
import { type Credentials, verifySignature } from './verify-signature.ts';
import { WireRefusal } from './wire-refusal.ts';
import { checkLossInputs, type CreateRequest, readShape, shapes } from './wire-shapes.ts';

/** One call of either service, before it is looked at. */
export interface TrainingSessionCall {
  /** `CreateTrainingSession`, `ExecuteTrainingOperation` ... */
  operation: string;
  /** The session of an operation of the runtime. */
  session: string | undefined;
  body: Buffer;
  /** How many calls came before. */
  index: number;
}

/**
 * A fault of a call: another answer, a connection that breaks before the call is read (`reset`) or after it was
 * accepted (`lose_reply`), a delay, the end of the session by inactivity, or an operation that is accepted and then
 * fails, has no effect or is missing.
 */
export type TrainingSessionFault =
  | { kind: 'error'; status: 429 | 500 | 503 }
  | { kind: 'reset' | 'lose_reply' | 'expire' }
  | { kind: 'delay'; delayMs: number }
  | OperationFault;

export interface LocalTrainingSessionsOptions {
  /** Folder for saved weights, states and the journal. What is there from before can be loaded. */
  directory: string;
  /** The policy behind every base model. */
  shape: PolicyShape;
  /** Decides about the weights to begin with. @default 0 */
  seed?: number | undefined;
  /** Port on 127.0.0.1. @default 0, any free one */
  port?: number | undefined;
  /** @default us-west-2 */
  region?: string | undefined;
  /** The key that calls have to be signed with. @default `local`, `local-secret` */
  credentials?: Credentials | undefined;
  /** The number that the sum of a pass is divided by. @default sum */
  reduction?: LossReduction | undefined;
  /** How often Describe answers before a session runs. @default 1 */
  describesUntilRunning?: number | undefined;
  /** How often an operation that is done is told as under way. @default 1 */
  pollsUntilDone?: number | undefined;
  /** After what time a missing number fails the session. @default 60_000 */
  gapTimeoutMs?: number | undefined;
  /** After what time without a call a session ends. @default 1_800_000 */
  inactivityTimeoutMs?: number | undefined;
  /** Sessions that may run at once. @default 10 */
  mostSessions?: number | undefined;
  /** The bytes of each token, in UTF-8, to find `stop` in. @default stop texts fail */
  tokenBytes?: readonly Uint8Array[] | undefined;
  /** Decides what goes wrong. @default nothing */
  fault?: ((call: TrainingSessionCall) => TrainingSessionFault | undefined) | undefined;
  /** @default the real clock */
  clock?: Clock | undefined;
}

export interface LocalTrainingSessions {
  /** The address of the control plane and of the runtime. */
  endpoint: string;
  /** Every training operation that had an effect, in order. The same is in `journal.jsonl` of the folder. */
  applied: readonly AppliedOperation[];
  /** ARNs of all saved weights and states. */
  packages: () => string[];
  /** The states of all sessions by their names. */
  statuses: () => Record<string, string>;
  close: () => Promise<void>;
}

/**
 * SageMaker's training sessions on loopback: control plane and runtime, in front of a small policy that really trains. Held against
 * boto3. Not there: the chat route, model package operations but their deletion, VPC, KMS.
 * @throws the system's error (EADDRINUSE) when the port is taken
 */
export async function startLocalTrainingSessions(
  options: LocalTrainingSessionsOptions,
): Promise<LocalTrainingSessions> {
  const { directory, port = 0, region = 'us-west-2', fault, clock = systemClock } = options;
  const { credentials = { accessKeyId: 'local', secretAccessKey: 'local-secret' } } = options;
  await makeDirectory(directory);
  const journal = openSync(join(directory, 'journal.jsonl'), 'a');
  const shelf = new PackageShelf(join(directory, 'packages'), region);
  const sessions = new Map<string, TrainingSession>();
  const applied: AppliedOperation[] = [];
  const open = (request: CreateRequest): TrainingSession => {
    const group = request.ModelPackageGroupArn?.split('/').at(-1) ?? 'sagemaker-default';
    const { Rank: rank, Alpha: alpha } = request.LoraConfig;
    const policy = new LocalSession({
      shape: options.shape,
      seed: options.seed ?? 0,
      lora: { rank, alpha },
      directory: shelf.folder(group),
      tokenBytes: options.tokenBytes,
    });
    return new TrainingSession({
      request,
      arn: shelf.sessionArn(request.TrainingSessionName),
      policy,
      operations: new SessionOperations({
        session: policy,
        shelf,
        group,
        reduction: options.reduction ?? 'sum',
      }),
      clock,
      describesUntilRunning: options.describesUntilRunning ?? 1,
      pollsUntilDone: options.pollsUntilDone ?? 1,
      gapTimeoutMs: options.gapTimeoutMs ?? 60_000,
      inactivityTimeoutMs: options.inactivityTimeoutMs ?? 1_800_000,
      applied: (operation) => {
        applied.push(operation);
        appendFileSync(journal, `${JSON.stringify(operation)}\n`);
        fsyncSync(journal);
      },
    });
  };
  const control = controlPlane({
    sessions,
    open,
    deletePackage: (arn) => shelf.delete(arn),
    mostSessions: options.mostSessions ?? 10,
  });

  let calls = 0;
  const answer = async (request: IncomingMessage, reply: ServerResponse): Promise<void> => {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
    const { method = '', url = '', headers } = request;
    const call = readStandInCall(method, url, String(headers['x-amz-target'] ?? ''));
    const wrong = fault?.({ operation: call.operation, session: call.session, body, index: calls++ });
    try {
      if (wrong?.kind === 'reset') return void request.socket.destroy();
      if (wrong?.kind === 'delay') await pause(wrong.delayMs, { clock });
      if (wrong?.kind === 'error') throw faultRefusals[wrong.status]();
      verifySignature({ method, url, headers, body }, { region, credentials, epochMs: clock.epochMs() });
      if (wrong?.kind === 'expire') sessions.get(call.session ?? '')?.expire();
      const operationFault = isOfOperation(wrong) ? wrong : undefined;
      const result = call.isControl
        ? await Promise.resolve<unknown>(control[controlOperation(call.operation)](body))
        : runtime(find(sessions, call.session), call, body, operationFault);
      if (wrong?.kind === 'lose_reply') return void request.socket.destroy();
      send(reply, 200, result, call.isControl);
    } catch (error) {
      const refusal =
        error instanceof WireRefusal
          ? error
          : new WireRefusal('InternalServerException', (error as Error).message);
      refuse(reply, refusal, call.isControl);
    }
  };

  const server = createServer(requestTimeLimits, (request, reply) => {
    const refusal = refusedCaller(request, { host });
    if (refusal !== undefined)
      return refuse(reply, new WireRefusal('AccessDeniedException', refusal.message));
    answer(request, reply).catch(() => request.socket.destroy());
  });
  server.on('clientError', refuseMalformed);
  server.listen(port, host);
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    applied,
    packages: () => shelf.all(),
    statuses: () => Object.fromEntries(Array.from(sessions, ([name, { status }]) => [name, status])),
    close: async () => {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      for (const session of sessions.values()) await session.close();
      closeSync(journal);
    },
  };
}

function find(sessions: ReadonlyMap<string, TrainingSession>, name: string | undefined): TrainingSession {
  const session = sessions.get(name ?? '');
  if (session !== undefined) return session;
  throw new WireRefusal('ResourceNotFoundException', `Training session ${name ?? ''} was not found.`);
}

function runtime(
  session: TrainingSession,
  { operation, operationId = '' }: StandInCall,
  body: Buffer,
  fault: OperationFault | undefined,
): object {
  if (operation === 'ExecuteTrainingOperation') {
    const request = readShape(shapes.ExecuteTrainingOperation, body);
    const pass = request.operationConfig.forwardBackward ?? request.operationConfig.forward;
    if (pass !== undefined) checkLossInputs(pass);
    return { operationId: session.submit(request, fault) };
  }
  if (operation === 'ExecuteSamplingOperation') {
    const { operationConfig } = readShape(shapes.ExecuteSamplingOperation, body);
    return { operationId: session.submitSampling(operationConfig, fault) };
  }
  if (operation === 'GetTrainingOperationResult' || operation === 'GetSamplingOperationResult')
    return session.result(operationId);
  throw new WireRefusal('ValidationException', `There is no ${operation} here: sample by token ids.`);
}

function isOfOperation(fault: TrainingSessionFault | undefined): fault is OperationFault {
  return fault?.kind === 'fail' || fault?.kind === 'ignore' || fault?.kind === 'gap';
}

const host = '127.0.0.1';

const faultRefusals = {
  429: () => new WireRefusal('ThrottlingException', 'Rate exceeded'),
  500: () => new WireRefusal('InternalServerException', 'A fault was asked for.'),
  503: () => new WireRefusal('ServiceUnavailable', 'A fault was asked for.'),
};

function refuse(reply: ServerResponse, { code, message, httpStatus }: WireRefusal, isControl = false): void {
  reply.setHeader('x-amzn-errortype', code);
  send(reply, httpStatus, isControl ? { __type: code, message } : { message }, isControl);
}

function send(reply: ServerResponse, status: number, body: unknown, isControl: boolean): void {
  reply.writeHead(status, { 'content-type': isControl ? 'application/x-amz-json-1.1' : 'application/json' });
  reply.end(body === undefined ? '' : JSON.stringify(body));
}

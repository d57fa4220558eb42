import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '@art/ground';
import type { LocalSession } from '@art/train/local';
import type { SessionOperations } from './session-operations.ts';
import { invalidTransition, isEnded, type SessionStatus } from './session-status.ts';
import { WireRefusal } from './wire-refusal.ts';
import type { CreateRequest, SamplingConfig, TrainingRequest } from './wire-shapes.ts';

/** One operation that was applied, in the order in which they were. */
export interface AppliedOperation {
  session: string;
  sequenceNumber: number;
  clientToken: string | undefined;
  /** `forwardBackward`, `optimizerStep` ... */
  kind: string;
  /** ARN of the model package that was saved or loaded. */
  modelPackageArn?: string;
}

/**
 * A fault of an operation. `ignore`: it completes and has had no effect. `gap`: a training operation is accepted and
 * its number stays missing, which fails the session after `gapTimeoutMs`.
 */
export type OperationFault = { kind: 'fail'; errorDetails: string } | { kind: 'ignore' | 'gap' };

interface Operation {
  id: string;
  state: 'waiting' | 'running' | 'completed' | 'failed' | 'skipped';
  polls: number;
  result?: object;
  errorDetails?: string;
}

interface TrainingOperation extends Operation {
  request: TrainingRequest;
  fault: OperationFault | undefined;
}

export interface TrainingSessionDeps {
  request: CreateRequest;
  arn: string;
  policy: LocalSession;
  operations: SessionOperations;
  clock: Clock;
  describesUntilRunning: number;
  pollsUntilDone: number;
  gapTimeoutMs: number;
  inactivityTimeoutMs: number;
  /** Called once an operation was carried out, before anybody is told; what it writes is on the disk when it returns. */
  applied: (operation: AppliedOperation) => void;
}

/** One session as the two services see it: its state, its operations by number, its tokens. */
export class TrainingSession {
  readonly name: string;
  readonly arn: string;
  readonly createdMs: number;
  readonly #deps: TrainingSessionDeps;
  #status: SessionStatus = 'Created';
  #describes = 0;
  #errorDetails: string | undefined;
  #endedMs: number | undefined;
  #nextNumber = 1;
  #lastReceived = 0;
  #isRunning = false;
  #isClosed = false;
  readonly #training = new Map<number, TrainingOperation>();
  readonly #byId = new Map<string, Operation>();
  #cancelGap: (() => void) | undefined;
  #cancelInactivity: (() => void) | undefined;

  constructor(deps: TrainingSessionDeps) {
    this.#deps = deps;
    this.name = deps.request.TrainingSessionName;
    this.arn = deps.arn;
    this.createdMs = deps.clock.epochMs();
    this.#stayActive();
  }

  get status(): SessionStatus {
    return this.#status;
  }

  /** The answer of Describe. Each call moves a session that is being created to its next state. */
  describe(): object {
    this.#describes += 1;
    if (this.#status === 'Created' && this.#describes > 1) this.#status = 'Scheduled';
    if (this.#status === 'Created' || this.#status === 'Scheduled')
      if (this.#describes > this.#deps.describesUntilRunning) this.#status = 'Running';
    const { prompt, sampled, trained } = this.#deps.policy.tokenCounts;
    const { RoleArn, LoraConfig, ModelConfig, OutputConfig, ModelPackageGroupArn } = this.#deps.request;
    return {
      ...this.summary(),
      TrainingSessionName: this.name,
      LastReceivedSequenceNumber: this.#lastReceived,
      RoleArn,
      LoraConfig,
      ModelConfig,
      OutputConfig,
      ...(ModelPackageGroupArn !== undefined && { ModelPackageGroupArn }),
      BillableTokenUsage: {
        PrefillTokenCount: prompt,
        SampleTokenCount: sampled,
        TrainingTokenCount: trained,
      },
    };
  }

  summary(): object {
    return {
      TrainingSessionArn: this.arn,
      TrainingSessionStatus: this.#status,
      CreationTime: this.createdMs / 1_000,
      ...(this.#endedMs !== undefined && { EndTime: this.#endedMs / 1_000 }),
      ...(this.#errorDetails !== undefined && { ErrorDetails: this.#errorDetails }),
    };
  }

  /** @throws WireRefusal where the session cannot be stopped any more */
  stop(): void {
    if (isEnded(this.#status) || this.#status === 'Stopping')
      throw invalidTransition(this.#status, 'Stopping');
    this.#end('Stopping', 'The session was stopped.');
    void this.#deps.policy.stop().then(() => {
      if (this.#status === 'Stopping') this.#status = 'Stopped';
    });
  }

  /** @throws WireRefusal where the session has not ended */
  delete(): void {
    if (this.#status !== 'Stopped' && this.#status !== 'Failed')
      throw invalidTransition(this.#status, 'Deleting');
    this.#status = 'Deleting';
  }

  /** Ends a session as its inactivity does. */
  expire(): void {
    if (isEnded(this.#status)) return;
    this.#end('Expired', 'The session was inactive for too long.');
    void this.#deps.policy.stop();
  }

  /** @throws WireRefusal */
  submit(request: TrainingRequest, fault: OperationFault | undefined): string {
    this.#checkOpen();
    const { sequenceNumber, clientToken } = request;
    const known = this.#training.get(sequenceNumber);
    const sameToken = [...this.#training.values()].find(
      (operation) => clientToken !== undefined && operation.request.clientToken === clientToken,
    );
    if (sameToken !== undefined) {
      if (isDeepStrictEqual(sameToken.request, request)) return sameToken.id;
      throw new WireRefusal(
        'ValidationException',
        `clientToken ${clientToken} was used with other parameters.`,
      );
    }
    if (known !== undefined || sequenceNumber < this.#nextNumber)
      throw new WireRefusal('ValidationException', `sequenceNumber ${sequenceNumber} was used.`);
    const operation: TrainingOperation = { id: randomUUID(), state: 'waiting', polls: 0, request, fault };
    if (fault?.kind !== 'gap') this.#training.set(sequenceNumber, operation);
    this.#byId.set(operation.id, operation);
    this.#lastReceived = Math.max(this.#lastReceived, sequenceNumber);
    void this.#work();
    return operation.id;
  }

  /** @throws WireRefusal */
  submitSampling(config: SamplingConfig, fault: OperationFault | undefined): string {
    this.#checkOpen();
    const { operations } = this.#deps;
    try {
      operations.checkServed(config);
    } catch (error) {
      throw new WireRefusal('ValidationException', (error as Error).message);
    }
    const operation: Operation = { id: randomUUID(), state: 'running', polls: 0 };
    this.#byId.set(operation.id, operation);
    void this.#carryOut(operation, fault, config, () => operations.sample(config));
    return operation.id;
  }

  /** @throws WireRefusal where there is no such operation */
  result(operationId: string): object {
    this.#stayActive();
    const operation = this.#byId.get(operationId);
    if (operation === undefined)
      throw new WireRefusal('ResourceNotFoundException', `Operation ${operationId} was not found.`);
    const { state, result, errorDetails } = operation;
    operation.polls += 1;
    if (state === 'waiting') return { status: 'Pending' };
    const isEarly = operation.polls <= this.#deps.pollsUntilDone && state !== 'skipped';
    if (state === 'running' || isEarly) return { status: operation.polls === 1 ? 'Pending' : 'InProgress' };
    if (state === 'completed') {
      const { tokenUsage } = Object.values(result!)[0] as { tokenUsage?: object };
      return {
        status: 'Completed',
        operationResult: result,
        ...(tokenUsage !== undefined && { tokenUsage }),
      };
    }
    const status = state === 'failed' ? 'Failed' : 'Skipped';
    return { status, ...(errorDetails !== undefined && { errorDetails }) };
  }

  /** Lets go of timers and of the policy. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelGap?.();
    this.#cancelInactivity?.();
    await this.#deps.policy.stop();
  }

  async #work(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#endGap();
    for (;;) {
      const operation = this.#training.get(this.#nextNumber);
      if (operation === undefined || operation.state !== 'waiting') break;
      this.#nextNumber += 1;
      operation.state = 'running';
      const { operationConfig, sequenceNumber, clientToken } = operation.request;
      const isDone = await this.#carryOut(operation, operation.fault, operationConfig, () =>
        this.#deps.operations.train(operationConfig),
      );
      if (this.#isClosed) return;
      if (isDone && operation.fault === undefined) {
        const kind = Object.keys(operationConfig)[0]!;
        const result = operation.result as Record<string, { modelPackageArn?: string }>;
        const modelPackageArn = operationConfig.loadState?.modelPackageArn ?? result[kind]?.modelPackageArn;
        const named = modelPackageArn !== undefined && { modelPackageArn };
        this.#deps.applied({ session: this.name, sequenceNumber, clientToken, kind, ...named });
      }
      if (!isDone) this.#end('Failed', operation.errorDetails ?? 'An operation failed.');
    }
    this.#isRunning = false;
    if (this.#lastReceived >= this.#nextNumber && this.#status === 'Running') this.#beginGap();
  }

  async #carryOut(
    operation: Operation,
    fault: OperationFault | undefined,
    config: SamplingConfig | TrainingRequest['operationConfig'],
    work: () => Promise<object>,
  ): Promise<boolean> {
    try {
      if (fault?.kind === 'fail') throw new Error(fault.errorDetails);
      operation.result =
        fault?.kind === 'ignore' ? await this.#deps.operations.pretend(config) : await work();
      operation.state = 'completed';
    } catch (error) {
      operation.errorDetails = (error as Error).message;
      operation.state = 'failed';
    }
    return operation.state === 'completed';
  }

  #beginGap(): void {
    this.#status = 'Blocked';
    const missing = this.#nextNumber;
    this.#cancelGap = this.#deps.clock.after(this.#deps.gapTimeoutMs, () => {
      this.#end('Failed', `The operation with sequence number ${missing} did not arrive.`);
      void this.#deps.policy.stop();
    });
  }

  #endGap(): void {
    this.#cancelGap?.();
    this.#cancelGap = undefined;
    if (this.#status === 'Blocked') this.#status = 'Running';
  }

  #end(status: SessionStatus, why: string): void {
    this.#cancelGap?.();
    this.#cancelInactivity?.();
    this.#status = status;
    this.#endedMs = this.#deps.clock.epochMs();
    if (status !== 'Stopping') this.#errorDetails = why;
    for (const operation of this.#byId.values())
      if (operation.state === 'waiting') operation.state = 'skipped';
  }

  #checkOpen(): void {
    if (this.#status === 'Running' || this.#status === 'Blocked') return this.#stayActive();
    throw new WireRefusal('ConflictException', `Training session ${this.name} is ${this.#status}.`);
  }

  #stayActive(): void {
    this.#cancelInactivity?.();
    if (isEnded(this.#status)) return;
    this.#cancelInactivity = this.#deps.clock.after(this.#deps.inactivityTimeoutMs, () => this.expire());
  }
}

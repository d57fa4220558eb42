import type { RolloutRecord } from '@art/trajectories';
import {
  callWithin,
  type Clock,
  linkSignals,
  pause,
  ArtError,
  type JsonObject,
  describeThrown,
} from '@art/ground';
import type { GatewayClient } from '@art/gateway-client';
import { capturedRollouts, type Group, type GroupRows, type ReadCaptures } from '@art/rollout';
import type { RequestFolder } from '../keep/request-folder.ts';
import { groupLine } from '../rows/group-line.ts';
import { type GroupIteration, type IterationDeps, stoppingError } from './group-iteration.ts';

export interface CollectionDeps extends IterationDeps {
  clock: Clock;
  /** True if no further group may begin, in no request. */
  isDraining: () => boolean;
  /** Deletes captured sessions from the gateway once their rows are kept here; undefined leaves them. */
  captured: Pick<GatewayClient, 'deleteSessions'> | undefined;
  /** Pause between two signs of life to a reader. */
  heartbeatMs: number;
  onNotice: (message: string) => void;
  /** Where somebody wants to know what was said. */
  readCaptures: ReadCaptures | undefined;
  onRollout: ((rollout: RolloutRecord) => void) | undefined;
}

type Run =
  | { name: 'none' }
  | { name: 'running'; iteration: GroupIteration }
  /** Asked to stop or to leave its sessions; readers get the reason. */
  | { name: 'ending'; reason: Error; ended: Promise<void> };

const takenOver = new ArtError({
  code: 'ART_COLLECT_TAKEN_OVER',
  message: 'Another reader has asked for the same request and gets its groups from now on.',
});
const rowsGiveUpMs = 60_000;
const heartbeat = new Error('time for a sign of life');

/**
 * One request of a trainer: its groups are taken one by one, kept, and handed to the one reader. Without a reader nothing is
 * taken, so that no further group begins.
 */
export class Collection {
  readonly #folder: RequestFolder;
  readonly #deps: CollectionDeps;
  #run: Run = { name: 'none' };
  #reader = new AbortController();
  #taking: Promise<void> | undefined;
  /** The group that was kept last, so that it is not read from the disk at once. */
  #fresh: { index: number; text: string } | undefined;

  constructor(folder: RequestFolder, deps: CollectionDeps) {
    this.#folder = folder;
    this.#deps = deps;
  }

  get isRunning(): boolean {
    return this.#run.name !== 'none';
  }

  /** The run that groups are taken from; where there is none. */
  start(iteration: GroupIteration): void {
    this.#run = { name: 'running', iteration };
    this.paceChanged();
  }

  /** A drain has begun or ended. */
  paceChanged(): void {
    if (this.#run.name !== 'running') return;
    if (this.#deps.isDraining()) this.#run.iteration.pause();
    else this.#run.iteration.resume();
  }

  get openGroups(): number {
    return this.#run.name === 'running' ? this.#run.iteration.openGroups : 0;
  }

  /** Status as `GET /requests` gives it. */
  get status(): JsonObject {
    const { record, acknowledgedCount, waiting } = this.#folder;
    const isRunning = this.#run.name === 'running';
    return {
      request_id: record.requestId,
      state: record.state === 'open' && !isRunning ? 'resting' : record.state,
      groups: record.groupCount,
      settled: acknowledgedCount + waiting.length,
      acknowledged: acknowledgedCount,
      open_groups: this.openGroups,
      draining: this.#deps.isDraining(),
      running_rollouts: this.#run.name === 'running' ? this.#run.iteration.runningRollouts : 0,
    };
  }

  /**
   * Everything that is not acknowledged, then what settles, a line of JSON each; the last one is `end` or `error`. A second
   * reader takes the first one's place.
   */
  async *read(signal: AbortSignal): AsyncGenerator<string, void, undefined> {
    this.#reader.abort(takenOver);
    this.#reader = new AbortController();
    const over = linkSignals(signal, this.#reader.signal);
    try {
      yield line({
        event: 'accepted',
        resumed: this.#folder.acknowledgedCount > 0 || this.#folder.waiting.length > 0,
        ...this.status,
      });
      yield* this.#groups(over.signal);
      yield line({ event: 'end', ...this.status, not_started: this.#folder.record.notStarted });
    } catch (error) {
      if (signal.aborted) return;
      const known = ArtError.isInstance(error) ? error : undefined;
      const message = describeThrown(error).message;
      yield line({
        event: 'error',
        request_id: this.#folder.record.requestId,
        code: known?.code ?? 'internal',
        message,
      });
    } finally {
      over.unlink();
    }
  }

  async *#groups(signal: AbortSignal): AsyncGenerator<string, void, undefined> {
    const sent = new Set<number>();
    for (;;) {
      for (const index of this.#folder.waiting) {
        if (sent.has(index)) continue;
        sent.add(index);
        const text = this.#takeFresh(index) ?? (await this.#folder.lineOf(index));
        signal.throwIfAborted();
        if (text !== undefined) yield text;
      }
      if (this.#folder.record.state !== 'open') return;
      if (!(await this.#takeWithin(signal))) yield line({ event: 'progress', ...this.status });
    }
  }

  #takeFresh(index: number): string | undefined {
    const { text } = this.#fresh?.index === index ? this.#fresh : {};
    if (text !== undefined) this.#fresh = undefined;
    return this.#folder.isAcknowledged(index) ? undefined : text;
  }

  /** @returns false when it is time for a sign of life */
  async #takeWithin(signal: AbortSignal): Promise<boolean> {
    const { clock, heartbeatMs } = this.#deps;
    // One reader may leave in the middle and the next one waits for the same group.
    this.#taking ??= this.#take().finally(() => (this.#taking = undefined));
    const taking = this.#taking;
    taking.catch(() => undefined);
    const bounds = { signal, clock, timeoutMs: heartbeatMs, timeoutError: () => heartbeat };
    try {
      await callWithin(() => taking, bounds);
      return true;
    } catch (error) {
      if (error === heartbeat) return false;
      throw error;
    }
  }

  async #take(): Promise<void> {
    const run = this.#run;
    if (run.name === 'ending') throw run.reason;
    if (run.name === 'none') throw stoppingError('The request has ended. Send it again to continue with it.');
    const { iteration } = run;
    try {
      const group = await iteration.next();
      if (group === undefined) return await this.#settle(iteration);
      if (!this.#folder.has(group.index)) await this.#keep(group);
      await group.acknowledge();
    } catch (error) {
      this.#throwIfEnding();
      // Reports the error. Running rollouts continue, so the reader can send the request again.
      await this.#end(error as Error, 'leave');
      this.#run = { name: 'none' };
      throw error;
    } finally {
      this.#deps.changes.notify();
    }
  }

  #throwIfEnding(): void {
    if (this.#run.name === 'ending') throw this.#run.reason;
  }

  async #keep(group: Group<JsonObject>): Promise<void> {
    const { request } = this.#folder.record;
    const captured = await this.#rowsOf(group);
    const { readCaptures, onRollout } = this.#deps;
    const rollouts = await capturedRollouts(group, readCaptures);
    const text = groupLine(group, captured, rollouts, request!);
    await this.#folder.keep(group.index, text);
    this.#fresh = { index: group.index, text };
    for (const rollout of rollouts) onRollout?.(rollout);
    const sessions = [...group.members, ...group.leftOut].flatMap(({ attempts }) =>
      attempts.map(({ sessionId }) => sessionId),
    );
    void this.#deps.captured?.deleteSessions(sessions).catch((error: unknown) => {
      this.#deps.onNotice(
        `The gateway could not delete the captured sessions of group ${group.inputId}: ${(error as Error).message}`,
      );
    });
  }

  /** A gateway that is being restarted answers the same a little later. */
  async #rowsOf(group: Group<JsonObject>): Promise<GroupRows> {
    const { clock, onNotice } = this.#deps;
    const untilMs = clock.nowMs() + rowsGiveUpMs;
    for (let pauseMs = 250; ; pauseMs = Math.min(pauseMs * 2, 5_000)) {
      try {
        return await group.rows();
      } catch (error) {
        const code = ArtError.isInstance(error) ? error.code : undefined;
        const mayPass = code === 'ART_GATEWAY_UNREACHABLE' || code === 'ART_GATEWAY_TIMEOUT';
        if (!mayPass || this.#run.name !== 'running' || clock.nowMs() + pauseMs > untilMs) throw error;
        onNotice(`The rows of group ${group.inputId} wait for the gateway: ${(error as Error).message}`);
        await pause(pauseMs, { clock });
      }
    }
  }

  async #settle(iteration: GroupIteration): Promise<void> {
    const { record } = this.#folder;
    const notStarted = Array.from({ length: record.groupCount }, (_, index) => index).filter(
      (index) => !this.#folder.has(index),
    );
    this.#run = { name: 'none' };
    await iteration.finish();
    await this.#folder.become('settled', notStarted);
    await this.#finishIfDone();
  }

  /** @returns how many of the groups were not acknowledged before */
  async acknowledge(indices: readonly number[]): Promise<number> {
    const fresh = await this.#folder.acknowledge(indices);
    await this.#finishIfDone();
    this.#deps.changes.notify();
    return fresh;
  }

  async #finishIfDone(): Promise<void> {
    const { record, waiting } = this.#folder;
    if (record.state !== 'settled' || waiting.length > 0) return;
    await this.#folder.become('done');
    await this.#forgetRun();
  }

  async #forgetRun(): Promise<void> {
    const { journal, onNotice } = this.#deps;
    const { requestId } = this.#folder.record;
    await journal.remove(requestId).catch((error: unknown) => {
      if (ArtError.isInstance(error) && error.code === 'ART_JOURNAL_NOT_FOUND') return;
      onNotice(`The journal of request ${requestId} stays: ${(error as Error).message}`);
    });
  }

  /** Gives the request up for ever; resolves when every session was stopped. */
  async cancel(stopLeftovers: () => Promise<void>): Promise<void> {
    const wasRunning = this.#run.name === 'running';
    const reason = new ArtError({ code: 'ART_COLLECT_CANCELLED', message: 'The request was cancelled.' });
    await this.#end(reason, 'stop');
    if (!wasRunning && this.#folder.record.state === 'open') await stopLeftovers();
    await this.#folder.become('cancelled');
    await this.#forgetRun();
  }

  /** Ends the work of this process on it. */
  async close(how: 'stop' | 'leave'): Promise<void> {
    await this.#end(stoppingError('The sidecar is ending. Send the request again to the next one.'), how);
  }

  async #end(reason: Error, how: 'stop' | 'leave'): Promise<void> {
    if (this.#run.name === 'ending') return this.#run.ended;
    if (this.#run.name === 'none') return;
    const { iteration } = this.#run;
    const ended = iteration[how](reason);
    this.#run = { name: 'ending', reason, ended };
    await ended;
  }
}

function line(event: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(event);
}

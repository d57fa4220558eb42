import type { RolloutRecord } from '@art/trajectories';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import {
  backgroundClock,
  callWithin,
  Semaphore,
  ArtError,
  describeValue,
  type JsonObject,
} from '@art/ground';
import { GatewayClient } from '@art/gateway-client';
import { FileJournal } from '@art/journal';
import { type AgentRuntime } from '@art/protocol';
import { type RolloutClientOptions, type RolloutGatewayOptions, stopRun } from '@art/rollout';
import { PolicyVersion } from '../keep/policy-version.ts';
import { RequestFolder } from '../keep/request-folder.ts';
import {
  type CollectRequest,
  isRequestId,
  parseCollectRequest,
  requestDigest,
} from '../request/collect-request.ts';
import { assertGoesOn } from './assert-goes-on.ts';
import { Changes } from './changes.ts';
import { Collection, type CollectionDeps } from './collection.ts';
import { GroupIteration } from './group-iteration.ts';
import { CollectedModelSampling } from './model-sampling.ts';

export interface CollectServiceOptions {
  /** Folder of all that must outlive this process: requests, their groups, the journal. */
  directory: string;
  /** How rollouts reach the agent and where their results appear. */
  client: Omit<RolloutClientOptions, 'gateway' | 'expId' | 'runtime'> & { runtime: AgentRuntime };
  /** Gateway that captures the agents' model calls. */
  gateway: RolloutGatewayOptions;
  /** First part of every result key, before the request's id. @default 'collect' */
  expId?: string | undefined;
  /** Most sessions of a request at once, unless it says so itself. @default 64 */
  maxConcurrentSessions?: number | undefined;
  /** Deletes sessions from the gateway once their rows are kept here. @default false */
  deleteCaptured?: boolean | undefined;
  /** Pause between two signs of life on a quiet stream. @default 10_000 */
  heartbeatMs?: number | undefined;
  /** Called with what continues in spite of trouble. @default process.emitWarning */
  onNotice?: ((message: string) => void) | undefined;
  /** Called with each rollout of a group that has settled, with what it said: `checkHealth` of `@art/eval/health` judges them. @default nobody */
  onRollout?: ((rollout: RolloutRecord) => void) | undefined;
}

/** Result of a drain. */
export interface DrainReport {
  drained: boolean;
  /** Groups that were still open when the time was up. */
  openGroups: number;
}

/**
 * Rollouts for a trainer in another process. What a trainer asked for survives the death of either side: a request that is sent
 * again under its id continues, settled groups that were not acknowledged come again as they were, acknowledged ones never.
 */
export class CollectService implements AsyncDisposable {
  readonly #root: string;
  readonly #deps: CollectionDeps;
  readonly #runtime: AgentRuntime;
  readonly #gateway: GatewayClient;
  readonly #policyVersion: PolicyVersion;
  readonly #modelSampling: CollectedModelSampling;
  readonly #changes = new Changes();
  readonly #collections = new Map<string, Collection>();
  readonly #folders = new Map<string, RequestFolder>();
  // Two requests of one id must not both find nothing there.
  readonly #opening = new Semaphore(1);
  #isDraining = false;
  #closed: Promise<void> | undefined;

  constructor(options: CollectServiceOptions) {
    const { directory, client, gateway } = options;
    this.#root = join(directory, 'requests');
    this.#runtime = client.runtime;
    this.#gateway = new GatewayClient({ url: gateway.url, adminToken: gateway.adminToken });
    this.#policyVersion = new PolicyVersion(directory, this.#gateway);
    const onNotice = options.onNotice ?? ((message) => process.emitWarning(message, 'ArtWarning'));
    this.#modelSampling = new CollectedModelSampling(this.#gateway, gateway, onNotice);
    this.#deps = {
      client: { onWarning: onNotice, ...client },
      gateway,
      expId: options.expId ?? 'collect',
      maxConcurrentSessions: options.maxConcurrentSessions ?? 64,
      journal: new FileJournal({ directory: join(directory, 'runs') }),
      changes: this.#changes,
      isDraining: () => this.#isDraining,
      clock: client.clock ?? backgroundClock,
      captured: options.deleteCaptured === true ? this.#gateway : undefined,
      heartbeatMs: options.heartbeatMs ?? 10_000,
      onNotice,
      readCaptures: options.onRollout && ((sessionId) => this.#gateway.compactCaptures(sessionId)),
      onRollout: options.onRollout,
    };
  }

  /**
   * Takes a request, new or known, and makes sure that it can be done. Nothing begins before its first line is read.
   * @returns what to read: lines of JSON
   * @throws ArtError `ART_INVALID_OPTION`, `ART_COLLECT_REQUEST_CHANGED`, `ART_COLLECT_ACKNOWLEDGED`, `ART_COLLECT_CANCELLED`,
   *   `ART_COLLECT_STOPPING`; GatewayError
   *   where the gateway cannot be told of the policy's version
   */
  async groups(body: unknown, signal: AbortSignal): Promise<AsyncGenerator<string, void, undefined>> {
    const request = parseCollectRequest(body, () => `collect-${randomUUID()}`);
    return this.#opening.run(signal, async () => {
      this.#assertOpen();
      const known = await this.#folderOf(request.requestId);
      const [folder, iteration] =
        known === undefined ? await this.#begin(request) : await this.#goOn(known, request);
      const collection = this.#collectionOf(folder);
      if (iteration !== undefined) collection.start(iteration);
      return collection.read(signal);
    });
  }

  /**
   * Tells that the trainer is done with groups. They are never sent again.
   * @returns how many of them were not acknowledged before
   * @throws ArtError `ART_COLLECT_UNKNOWN_REQUEST`, `ART_INVALID_OPTION`
   */
  async acknowledge(requestId: unknown, groups: unknown): Promise<number> {
    const folder = await this.#knownFolder(requestId);
    const prefix = `${folder.record.requestId}-`;
    const isGroup = (id: unknown): id is string => {
      if (typeof id !== 'string' || !id.startsWith(prefix)) return false;
      const index = id.slice(prefix.length);
      return /^\d+$/.test(index) && Number(index) < folder.record.groupCount;
    };
    if (!Array.isArray(groups) || !groups.every(isGroup)) {
      throw new ArtError({
        code: 'ART_INVALID_OPTION',
        message: `Expected groups to be a list of ids of groups of this request, such as "${prefix}0", got ${JSON.stringify(groups)}.`,
      });
    }
    return this.#collectionOf(folder).acknowledge(groups.map((id) => Number(id.slice(prefix.length))));
  }

  /**
   * Gives a request up for ever: its sessions are stopped when this resolves, and what it had is deleted.
   * @throws ArtError `ART_COLLECT_UNKNOWN_REQUEST`
   */
  async cancel(requestId: unknown): Promise<void> {
    const folder = await this.#knownFolder(requestId);
    const { requestId: runId, state } = folder.record;
    if (state === 'cancelled' || state === 'done') return;
    await this.#collectionOf(folder).cancel(async () => {
      const { journal, onNotice } = this.#deps;
      if (!(await journal.list()).includes(runId)) return;
      await stopRun(journal, runId, { runtime: this.#runtime, onWarning: onNotice });
    });
  }

  /**
   * Lets no further group begin, in no request, and waits until those that have begun are settled: then new weights can be loaded
   * without a group that was sampled by two policies.
   * @param deadlineMs how long to wait @default no limit
   */
  async drain(deadlineMs: number | undefined, signal: AbortSignal): Promise<DrainReport> {
    this.#setDraining(true);
    const late = new Error('the time for draining is up');
    const { clock } = this.#deps;
    try {
      await callWithin((inner) => this.#changes.until(() => this.#openGroups() === 0, inner), {
        signal,
        clock,
        timeoutMs: deadlineMs,
        timeoutError: () => late,
      });
    } catch (error) {
      if (error !== late) throw error;
    }
    const openGroups = this.#openGroups();
    return { drained: openGroups === 0, openGroups };
  }

  /**
   * Ends a drain.
   * @param policyVersion the version of the weights that the engine has now; the gateway notes it beside every token
   * @throws GatewayError where it could not be told
   */
  async continue(policyVersion: number | undefined): Promise<void> {
    if (policyVersion !== undefined) await this.#policyVersion.announce(policyVersion);
    this.#setDraining(false);
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** All requests that are kept, by the time of their beginning. */
  async requests(): Promise<JsonObject[]> {
    const folders: RequestFolder[] = [];
    for (const id of await RequestFolder.list(this.#root)) {
      const folder = await this.#folderOf(id);
      if (folder !== undefined) folders.push(folder);
    }
    return folders
      .toSorted((a, b) => a.record.createdAtMs - b.record.createdAtMs)
      .map((folder) => this.#collectionOf(folder).status);
  }

  /** Ends the work of this process. @param how `leave`: sessions work on for a later process. @default 'stop' */
  close(how: 'stop' | 'leave' = 'stop'): Promise<void> {
    this.#closed ??= Promise.all(
      Array.from(this.#collections.values(), (collection) => collection.close(how)),
    ).then(() => undefined);
    return this.#closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #begin(request: CollectRequest): Promise<[RequestFolder, GroupIteration]> {
    const createdAtMs = Math.round(this.#deps.clock.epochMs());
    let folder: RequestFolder | undefined;
    const acknowledgedCount = (): number => folder?.acknowledgedCount ?? 0;
    const iteration = new GroupIteration({ request, createdAtMs, acknowledgedCount }, this.#deps);
    await iteration.prepare();
    await this.#modelSampling.check(request);
    // A request that is taken up again says what was true at its beginning.
    if (request.policyVersion === undefined) await this.#policyVersion.restore();
    else await this.#policyVersion.announce(request.policyVersion);
    folder = await RequestFolder.create(this.#root, {
      version: 1,
      requestId: request.requestId,
      digest: requestDigest(request),
      state: 'open',
      createdAtMs,
      groupCount: request.inputs.length,
      request,
      notStarted: [],
    });
    this.#folders.set(request.requestId, folder);
    return [folder, iteration];
  }

  async #goOn(
    folder: RequestFolder,
    request: CollectRequest,
  ): Promise<[RequestFolder, GroupIteration | undefined]> {
    assertGoesOn(folder, request);
    const { state, createdAtMs } = folder.record;
    if (state !== 'open' || this.#collectionOf(folder).isRunning) return [folder, undefined];
    await this.#policyVersion.restore();
    const acknowledgedCount = (): number => folder.acknowledgedCount;
    const iteration = new GroupIteration({ request, createdAtMs, acknowledgedCount }, this.#deps);
    await iteration.prepare();
    return [folder, iteration];
  }

  #collectionOf(folder: RequestFolder): Collection {
    const { requestId } = folder.record;
    const known = this.#collections.get(requestId);
    if (known !== undefined) return known;
    const made = new Collection(folder, this.#deps);
    this.#collections.set(requestId, made);
    return made;
  }

  async #folderOf(requestId: string): Promise<RequestFolder | undefined> {
    const known = this.#folders.get(requestId);
    if (known !== undefined) return known;
    const found = await RequestFolder.open(this.#root, requestId);
    // Somebody else may have read it meanwhile; there is one of each.
    const first = this.#folders.get(requestId) ?? found;
    if (first !== undefined) this.#folders.set(requestId, first);
    return first;
  }

  async #knownFolder(requestId: unknown): Promise<RequestFolder> {
    const folder = isRequestId(requestId) ? await this.#folderOf(requestId) : undefined;
    if (folder !== undefined) return folder;
    throw new ArtError({
      code: 'ART_COLLECT_UNKNOWN_REQUEST',
      message: `Expected the id of a request that was sent here, got ${describeValue(requestId)}.`,
    });
  }

  #setDraining(isDraining: boolean): void {
    this.#isDraining = isDraining;
    for (const collection of this.#collections.values()) collection.paceChanged();
  }

  #openGroups(): number {
    return [...this.#collections.values()].reduce((sum, { openGroups }) => sum + openGroups, 0);
  }

  #assertOpen(): void {
    if (this.#closed === undefined) return;
    throw new ArtError({ code: 'ART_COLLECT_STOPPING', message: 'The sidecar is ending.' });
  }
}

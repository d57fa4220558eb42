import type { CallOptions } from '@art/protocol';
import {
  expandCompactCaptures,
  readTrainingRows,
  type CaptureRecord,
  type TrainingRow,
} from '@art/trajectories';
import type { SessionInfo, WorkerInfo } from '../records/session-info.ts';
import type { TrajectoryCreated, TrajectoryStatus } from '../records/trajectory.ts';
import type {
  AddedWorker,
  CreatedSession,
  CreateSessionInput,
  CreateTrajectoryInput,
  FinishTrajectoryInput,
  CaptureQueryInput,
  CaptureRangeInput,
  WorkerInput,
  WorkersHealth,
} from './gateway-calls.ts';
import { readClientOptions, type GatewayClientOptions } from './gateway-client-options.ts';
import type { GatewayConnection } from './gateway-connection.ts';
import { Gateways } from './gateways.ts';
import { unlessNotFound } from './gateway-error.ts';
import { listReply, numberMember, objectReply, optionalTextMember, textMember } from './reply-shape.ts';
import { sessionRoute } from './session-path.ts';
import { readFinishedTrajectory, type FinishedTrajectory } from './finished-trajectory.ts';
import { finishBody, onWire, rangeQuery } from './wire-inputs.ts';

/**
 * The gateway's control plane: sessions and their captures, trajectories and their rows, workers, weight versions. What is
 * given is in camelCase; what the gateway stores comes back as it is on the wire and in files. Works with
 * rllm-model-gateway too, trajectories and compact captures apart.
 *
 * Every method throws `GatewayError`: `ART_GATEWAY_UNREACHABLE`, `ART_GATEWAY_TIMEOUT`, `ART_GATEWAY_NOT_FOUND`,
 * `ART_GATEWAY_CONFLICT`, `ART_GATEWAY_DENIED`, `ART_GATEWAY_REJECTED`, `ART_GATEWAY_BAD_REPLY`; or the reason of its
 * signal.
 */
export class GatewayClient {
  readonly #gateways: Gateways;
  readonly #timeoutMs: number;

  /** @throws ArtError `ART_INVALID_OPTION` */
  constructor(options: GatewayClientOptions) {
    const checked = readClientOptions(options);
    this.#gateways = new Gateways(checked);
    this.#timeoutMs = checked.timeoutMs;
  }

  /** Which of `urls` a session belongs to, from 0. */
  gatewayOf(sessionId: string): number {
    return this.#gateways.indexOf(sessionId);
  }

  /** Base URL of a session for an OpenAI client. @throws ArtError `ART_INVALID_OPTION` */
  baseUrlOf(sessionId: string): string {
    return `${this.#gateways.of(sessionId).url}/sessions/${sessionRoute(sessionId)}/v1`;
  }

  /** Base URL of a session for an Anthropic client, which adds `/v1` itself. @throws ArtError `ART_INVALID_OPTION` */
  anthropicBaseUrlOf(sessionId: string): string {
    return `${this.#gateways.of(sessionId).url}/sessions/${sessionRoute(sessionId)}`;
  }

  /** Resolves if the gateway runs; if all of them do. */
  async health(options: CallOptions = {}): Promise<void> {
    await this.#gateways.all((gateway) =>
      gateway.text({ method: 'GET', path: '/health', repeatable: true }, options),
    );
  }

  async workersHealth(options: CallOptions = {}): Promise<WorkersHealth> {
    const replies = await this.#gateways.all((gateway) => gateway.get('/health/workers', options));
    const health = replies.map(
      (reply) => objectReply('GET /health/workers', reply) as unknown as WorkersHealth,
    );
    // Each sees for itself which workers are healthy: the worst is what a trainer wants to know.
    return health.reduce((worst, one) => (one.healthy < worst.healthy ? one : worst));
  }

  /** Creates a session; one that exists keeps its captures. Repeated after a broken connection if it has an id. */
  async createSession(input: CreateSessionInput = {}, options: CallOptions = {}): Promise<CreatedSession> {
    // Of several gateways, the id says which one.
    const id = input.sessionId ?? (this.#gateways.areSeveral ? crypto.randomUUID() : undefined);
    if (id !== undefined) sessionRoute(id);
    const reply = await this.#gateways.of(id ?? '').json(
      {
        method: 'POST',
        path: '/sessions',
        body: onWire({ ...input, sessionId: id }),
        repeatable: id !== undefined,
      },
      options,
    );
    const sessionId = textMember('POST /sessions', reply, 'session_id');
    return {
      sessionId,
      baseUrl: this.baseUrlOf(sessionId),
      anthropicBaseUrl: this.anthropicBaseUrlOf(sessionId),
      apiKey: optionalTextMember('POST /sessions', reply, 'api_key'),
    };
  }

  /** Sessions with at least one capture, by their first capture, newest first. */
  async sessions(range: CaptureRangeInput = {}, options: CallOptions = {}): Promise<SessionInfo[]> {
    const lists = await this.#gateways.all(async (gateway) =>
      listReply<SessionInfo>('GET /sessions', await gateway.get('/sessions', options, rangeQuery(range))),
    );
    if (lists.length === 1) return lists[0]!;
    return lists
      .flat()
      .toSorted((left, right) => firstAt(right) - firstAt(left))
      .slice(0, range.limit);
  }

  /** Undefined for a session that the gateway does not know. */
  async session(sessionId: string, options: CallOptions = {}): Promise<SessionInfo | undefined> {
    const path = `/sessions/${sessionRoute(sessionId)}`;
    return find(this.#gateways.of(sessionId), path, options) as Promise<SessionInfo | undefined>;
  }

  /** A session's captures, oldest first; none for a session that the gateway does not know. */
  async captures(
    sessionId: string,
    range: CaptureQueryInput = {},
    options: CallOptions = {},
  ): Promise<CaptureRecord[]> {
    const path = `/sessions/${sessionRoute(sessionId)}/traces`;
    return listReply(`GET ${path}`, await this.#gateways.of(sessionId).get(path, options, rangeQuery(range)));
  }

  /** As `captures`, sent without repeating what each turn continues: several times less for long conversations. */
  async compactCaptures(
    sessionId: string,
    range: CaptureQueryInput = {},
    options: CallOptions = {},
  ): Promise<CaptureRecord[]> {
    const path = `/sessions/${sessionRoute(sessionId)}/traces`;
    return expandCompactCaptures(
      await this.#gateways.of(sessionId).get(path, options, { ...rangeQuery(range), format: 'compact' }),
    );
  }

  /** Undefined for a capture that the gateway does not know. */
  async capture(captureId: string, options: CallOptions = {}): Promise<CaptureRecord | undefined> {
    const path = `/traces/${sessionRoute(captureId)}`;
    const found = await this.#gateways.all((gateway) => find(gateway, path, options));
    return found.find((capture) => capture !== undefined) as CaptureRecord | undefined;
  }

  /** Captures of several sessions, one session after the other; `limit` counts for each. */
  async queryCaptures(
    sessionIds: readonly string[],
    range: CaptureQueryInput = {},
    options: CallOptions = {},
  ): Promise<CaptureRecord[]> {
    const lists = await this.#gateways.bySession(sessionIds, async (gateway, ids) => {
      const body = { session_ids: ids, ...rangeQuery(range) };
      const reply = await gateway.post('/traces/query', body, options);
      return listReply<CaptureRecord>('POST /traces/query', reply);
    });
    if (lists.length === 1) return lists[0]!;
    const bySession = Map.groupBy(lists.flat(), (capture) => capture.session_id);
    return sessionIds.flatMap((sessionId) => bySession.get(sessionId) ?? []);
  }

  /** Deletes a session and its captures, for good; how many captures there were. */
  async deleteSession(sessionId: string, options: CallOptions = {}): Promise<number> {
    const path = `/sessions/${sessionRoute(sessionId)}`;
    return numberMember(
      `DELETE ${path}`,
      await this.#gateways.of(sessionId).delete(path, options),
      'deleted',
    );
  }

  async deleteSessions(sessionIds: readonly string[], options: CallOptions = {}): Promise<number> {
    const path = '/sessions/batch_delete';
    const counts = await this.#gateways.bySession(sessionIds, async (gateway, ids) => {
      const reply = await gateway.post(path, { session_ids: ids }, options);
      return numberMember(`POST ${path}`, reply, 'deleted');
    });
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** Adds an inference server; one with the same URL is left as it is. */
  async addWorker(worker: WorkerInput, options: CallOptions = {}): Promise<AddedWorker> {
    const path = '/admin/workers';
    // The same at all of them, so that it can be removed from all.
    const workerId = worker.workerId ?? (this.#gateways.areSeveral ? crypto.randomUUID() : undefined);
    const body = onWire({ ...worker, workerId });
    const [reply = null] = await this.#gateways.all((gateway) => gateway.post(path, body, options));
    const text = (member: string): string => textMember(`POST ${path}`, reply, member);
    return { workerId: text('worker_id'), url: text('url'), apiPath: text('api_path') };
  }

  /** Workers of the first gateway: several gateways get the same workers. */
  async workers(options: CallOptions = {}): Promise<WorkerInfo[]> {
    return listReply('GET /admin/workers', await this.#gateways.first.get('/admin/workers', options));
  }

  /** False if there was no such worker. */
  async removeWorker(workerId: string, options: CallOptions = {}): Promise<boolean> {
    const path = `/admin/workers/${sessionRoute(workerId)}`;
    const removed = await this.#gateways.all((gateway) =>
      unlessNotFound(() => gateway.delete(path, options)),
    );
    return removed.some((reply) => reply !== undefined);
  }

  /** Resolves when every capture of calls that were answered before is stored. */
  async flush(options: CallOptions = {}): Promise<void> {
    await this.#gateways.all((gateway) => gateway.post('/admin/flush', {}, options));
  }

  async reload(options: CallOptions = {}): Promise<void> {
    await this.#gateways.all((gateway) => gateway.post('/admin/reload', {}, options));
  }

  /** The version that was announced last; undefined before the first. */
  async weightVersion(options: CallOptions = {}): Promise<number | undefined> {
    const path = '/admin/weight_version';
    const reply = await this.#gateways.first.get(path, options);
    const version = objectReply(`GET ${path}`, reply)['weight_version'];
    return typeof version === 'number' ? version : undefined;
  }

  /** Announces the weights that calls from now on are sampled with. */
  async setWeightVersion(version: number, options: CallOptions = {}): Promise<void> {
    const body = { weight_version: version };
    await this.#gateways.all((gateway) => gateway.post('/admin/weight_version', body, options));
  }

  /** Opens a trajectory. `ART_GATEWAY_CONFLICT` if the session has one. */
  async createTrajectory(
    input: CreateTrajectoryInput,
    options: CallOptions = {},
  ): Promise<TrajectoryCreated> {
    sessionRoute(input.sessionId);
    const reply = await this.#gateways
      .of(input.sessionId)
      .json({ method: 'POST', path: '/trajectories', body: onWire(input), repeatable: false }, options);
    return objectReply('POST /trajectories', reply) as unknown as TrajectoryCreated;
  }

  /** Undefined for a trajectory that the gateway does not know. */
  async trajectory(sessionId: string, options: CallOptions = {}): Promise<TrajectoryStatus | undefined> {
    const path = `/trajectories/${sessionRoute(sessionId)}`;
    return find(this.#gateways.of(sessionId), path, options) as Promise<TrajectoryStatus | undefined>;
  }

  /**
   * Closes a trajectory and makes training rows of it. The gateway answers the same when it is asked again, so that a lost
   * answer loses nothing.
   * @throws ArtError also `ART_INVALID_TRAINING_ROW`
   */
  async finishTrajectory(
    sessionId: string,
    input: FinishTrajectoryInput = {},
    options: CallOptions = {},
  ): Promise<readonly TrainingRow[]> {
    return (await this.finishedTrajectory(sessionId, input, options)).rows;
  }

  /** As `finishTrajectory`, with what was captured and what of it does not train. */
  async finishedTrajectory(
    sessionId: string,
    input: FinishTrajectoryInput = {},
    options: CallOptions = {},
  ): Promise<FinishedTrajectory> {
    const path = `/trajectories/${sessionRoute(sessionId)}/finish`;
    // The gateway may wait so long for calls that are under way, and then still has to work.
    const timeoutMs = this.#timeoutMs + (input.waitTimeoutMs ?? 5_000);
    const reply = await this.#gateways
      .of(sessionId)
      .json({ method: 'POST', path, body: finishBody(input), repeatable: true, timeoutMs }, options);
    return readFinishedTrajectory(`POST ${path}`, reply);
  }

  /** The rows of a finished trajectory, one after the other as they arrive. */
  async *exportTrajectory(
    sessionId: string,
    options: CallOptions = {},
  ): AsyncGenerator<TrainingRow, void, void> {
    const path = `/sessions/${sessionRoute(sessionId)}/export.jsonl`;
    const call = { method: 'GET', path, repeatable: true } as const;
    yield* readTrainingRows(this.#gateways.of(sessionId).stream(call, options));
  }
}

/** An object, or undefined where the gateway does not know it. */
function find(gateway: GatewayConnection, path: string, options: CallOptions): Promise<unknown> {
  return unlessNotFound(async () => objectReply(`GET ${path}`, await gateway.get(path, options)));
}

function firstAt({ first_trace_at: at }: SessionInfo): number {
  return at ?? 0;
}

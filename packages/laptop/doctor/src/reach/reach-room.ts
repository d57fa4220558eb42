import { createAgentCoreRuntime, type PacedRuntime } from '@art/invoke';
import { fault, ok, type Seen } from '../finding.ts';
import { openRecordingModel, type RecordingModel } from '../room/recording-model.ts';
import { onThisMachine } from '../room/place.ts';
import type { ProbeSocket } from './probe-socket.ts';
import { ProbedSession } from './probed-session.ts';

export interface ProbedRuntime {
  agentRuntimeArn: string;
  qualifier?: string | undefined;
}

/** The sessions, sockets and the model of one check; everything is ended at its end. */
export class ReachRoom {
  readonly #runtimeOptions: ProbedRuntime;
  readonly #payload: Readonly<Record<string, unknown>>;
  readonly #sessions: ProbedSession[] = [];
  #runtime: PacedRuntime | undefined;
  #model: Promise<RecordingModel> | undefined;
  #stopping: Promise<Seen> | undefined;
  /** Where a call waits, and its socket. */
  held: { session: ProbedSession; socket: ProbeSocket } | undefined;

  /** @param payload a request that the agent answers after it has asked its model */
  constructor({ agentRuntimeArn, qualifier }: ProbedRuntime, payload: Readonly<Record<string, unknown>>) {
    this.#runtimeOptions = { agentRuntimeArn, qualifier };
    this.#payload = payload;
  }

  /** A session of its own with a rollout, which the agent has taken on. @throws Error where it has not */
  async open(): Promise<ProbedSession> {
    if (this.#stopping !== undefined) throw new Error('The check is over.');
    const runtime = (this.#runtime ??= createAgentCoreRuntime(this.#runtimeOptions));
    const session = new ProbedSession(runtime);
    this.#sessions.push(session);
    const state = await session.start(this.#payload);
    if (state === undefined)
      throw new Error('The agent does not speak RIP, so it is not served by this toolkit.');
    return session;
  }

  /** The address of a model that answers anything, with `/v1`. */
  async modelUrl(): Promise<string> {
    this.#model ??= openRecordingModel(onThisMachine);
    return (await this.#model).baseUrl;
  }

  /** Stops every session that there is; none is opened any more. */
  stop(): Promise<Seen> {
    return (this.#stopping ??= this.#stop());
  }

  /** Ends what there is. @returns what became of the sessions, where nobody has asked before */
  async close(): Promise<Seen | undefined> {
    const isTold = this.#stopping !== undefined;
    const seen = await this.stop();
    this.#runtime?.[Symbol.dispose]();
    await (await this.#model)?.close();
    return isTold ? undefined : seen;
  }

  async #stop(): Promise<Seen> {
    const stops = await Promise.allSettled(this.#sessions.map((session) => session.stop()));
    const left = this.#sessions.filter((_session, index) => stops[index]!.status === 'rejected');
    if (left.length === 0) return ok(`${stops.length} were opened, and each is stopped`);
    const failed = stops.find((stop) => stop.status === 'rejected');
    return fault(`${left.map(({ id }) => id).join(', ')}: ${(failed!.reason as Error).message}`);
  }
}

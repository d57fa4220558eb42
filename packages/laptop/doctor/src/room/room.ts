import { randomUUID } from 'node:crypto';
import { arrivedEvents } from '@art/ground';
import { acceptedAnswers, runtimeHeaders } from '@art/protocol';
import { checkedAgentEnvironment } from './agent-environment.ts';
import { type CheckedProcess, startCheckedProcess } from './agent-process.ts';
import { type AskedAnswer, ask, type Question } from './ask.ts';
import { containerOf, findContainerEngine } from './container.ts';
import { type LoneBundle, startLoneBundle } from './lone-bundle.ts';
import { aroundContainer, onThisMachine } from './place.ts';
import { openRecordingModel, type RecordingModel } from './recording-model.ts';
import { openResultBucket, type ResultBucket } from './result-bucket.ts';
import { contentOf, type FolderContent, writtenSince } from './written-files.ts';

export interface RoomOptions {
  /** Way to the agent: a command that starts it, with its bundle where it is one file; an image; or the URL of an agent that runs. */
  agent:
    | { command: string | readonly string[]; cwd: string; bundle?: string | undefined }
    | { image: string }
    | { url: string };
  /** A request that the agent can answer. */
  payload: Readonly<Record<string, unknown>>;
  /** Another one, for the second of two sessions that are compared. @default `payload` */
  otherPayload?: Readonly<Record<string, unknown>> | undefined;
  env: NodeJS.ProcessEnv;
  /** How long a process may take until it answers. @default 30_000, as AWS waits for code */
  initTimeoutMs?: number | undefined;
}

const deathNewsMs = 2_000;
/** AWS waits so long for a container; for code it is 30 s. */
const containerInitTimeoutMs = 120_000;

/**
 * Place in which an agent is checked: a bucket, two models, and the agent itself. Several checks look at one and the same exchange, which
 * happens once.
 */
export class Room {
  readonly bucket: ResultBucket;
  /** Two endpoints, so that an agent that asks the wrong one is seen. */
  readonly models: readonly [RecordingModel, RecordingModel];
  /** Plays the model of users where this environment has no key for theirs. */
  readonly users: RecordingModel;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly otherPayload: Readonly<Record<string, unknown>>;
  /** Stands in the environment of the agent, and must come back in no answer. */
  readonly secret = `doctor-secret-${randomUUID()}`;
  /** The models say it to rollouts, and must not hear it in the next one. */
  readonly word = `doctor-${randomUUID().slice(0, 8)}`;
  readonly #options: RoomOptions;
  /** Program that runs its image. */
  readonly #engine: string | undefined;
  readonly #once = new Map<string, Promise<unknown>>();
  readonly #starts: Promise<CheckedProcess>[] = [];
  #lone: Promise<LoneBundle> | undefined;
  #main: CheckedProcess | undefined;
  readonly #folderBefore: FolderContent | undefined;
  readonly #closing = new AbortController();

  private constructor(
    options: RoomOptions,
    engine: string | undefined,
    bucket: ResultBucket,
    [first, second, users]: readonly [RecordingModel, RecordingModel, RecordingModel],
    folderBefore: FolderContent | undefined,
  ) {
    this.#engine = engine;
    this.#folderBefore = folderBefore;
    this.#options = options;
    this.payload = options.payload;
    this.otherPayload = options.otherPayload ?? options.payload;
    this.bucket = bucket;
    this.models = [first, second];
    this.users = users;
  }

  /** @throws ArtError `ART_NO_CONTAINER_ENGINE` */
  static async open(options: RoomOptions): Promise<Room> {
    const engine = 'image' in options.agent ? findContainerEngine(options.env) : undefined;
    const place = engine === undefined ? onThisMachine : aroundContainer;
    const [bucket, folderBefore, ...models] = await Promise.all([
      openResultBucket(place),
      'command' in options.agent ? contentOf(options.agent.cwd) : undefined,
      openRecordingModel(place),
      openRecordingModel(place),
      openRecordingModel(place),
    ]);
    return new Room(options, engine, bucket, models, folderBefore);
  }

  /** True if the doctor starts the agent, and so can stop it. */
  get hasProcess(): boolean {
    return !('url' in this.#options.agent);
  }

  /** True if the agent runs in a container, behind a port of this machine that was mapped to it. */
  get isContainer(): boolean {
    return 'image' in this.#options.agent;
  }

  /** The file that is all of the agent. */
  get bundle(): string | undefined {
    const { agent } = this.#options;
    return 'command' in agent ? agent.bundle : undefined;
  }

  /** Result of its bundle, which is started once and alone. */
  loneBundle(): Promise<LoneBundle> {
    if (this.bundle === undefined) throw new Error('This agent is no bundle.');
    return (this.#lone ??= startLoneBundle(this.bundle, this.#environment(), this.#closing.signal));
  }

  /** The exchange of this name: the first check that asks for it has it made. */
  once<T>(name: string, make: () => Promise<T>): Promise<T> {
    const made = (this.#once.get(name) as Promise<T> | undefined) ?? make();
    this.#once.set(name, made);
    return made;
  }

  /** The agent that most checks share. */
  agent(): Promise<CheckedProcess> {
    return this.once('agent', async () => (this.#main = await this.startAgent()));
  }

  /** How that agent ended, and what it wrote last; undefined while it lives, or where it is not ours. */
  async death(): Promise<string | undefined> {
    const agent = this.#main;
    if (agent === undefined) return undefined;
    // The connection breaks before the system tells how the process ended; one that answers has not.
    const ended = agent.endedWithin(deathNewsMs);
    await Promise.race([ended, ask(`${agent.url}/ping`, { timeoutMs: deathNewsMs }).catch(() => ended)]);
    await arrivedEvents();
    const exit = agent.exit();
    if (exit === undefined) return undefined;
    return `The agent ended with ${exit.signal ?? `code ${exit.code}`}. It wrote: ${this.lastLines() || 'nothing'}`;
  }

  /** Lines that the agent wrote last. */
  lastLines(): string {
    return this.#main?.lastLines() ?? '';
  }

  /** Where it works; undefined where that is not on this machine. */
  get folder(): string | undefined {
    const { agent } = this.#options;
    return 'command' in agent ? agent.cwd : undefined;
  }

  /** Files in its folder that are new or have changed since the doctor came; undefined where that was not looked at. */
  async writtenFiles(): Promise<string[] | undefined> {
    const after = this.folder === undefined ? undefined : await contentOf(this.folder);
    return this.#folderBefore && after && writtenSince(this.#folderBefore, after);
  }

  /** One beside it, which is asked nothing but pings, and stopped in the end. */
  secondAgent(): Promise<CheckedProcess> {
    return this.once('second agent', () => this.startAgent());
  }

  /**
   * @param around changes the environment of the process
   * @throws Error where it does not start, or does not run here
   */
  async startAgent(
    around: (env: NodeJS.ProcessEnv) => NodeJS.ProcessEnv = (env) => env,
  ): Promise<CheckedProcess> {
    const { agent } = this.#options;
    if ('url' in agent) throw new Error('This agent was not started here.');
    const env = around(this.#environment());
    const { signal } = this.#closing;
    const start =
      'image' in agent
        ? startCheckedProcess(containerOf(this.#engine!, agent.image, this.#environment(this.#region)), env, {
            cwd: process.cwd(),
            signal,
            initTimeoutMs: containerInitTimeoutMs,
          })
        : startCheckedProcess(agent.command, env, {
            cwd: agent.cwd,
            signal,
            initTimeoutMs: this.#options.initTimeoutMs,
          });
    this.#starts.push(start);
    return start;
  }

  async url(): Promise<string> {
    const { agent } = this.#options;
    return 'url' in agent ? agent.url.replace(/\/$/, '') : (await this.agent()).url;
  }

  async ping(): Promise<AskedAnswer> {
    return ask(`${await this.url()}/ping`, { timeoutMs: 10_000 });
  }

  /** Sends bytes to `/invocations` with these headers alone. */
  async send(question: Question): Promise<AskedAnswer> {
    return ask(`${await this.url()}/invocations`, { method: 'POST', ...question });
  }

  /** Sends a payload as AgentCore's clients do, in its own session unless one is given. */
  async invoke(
    payload: Readonly<Record<string, unknown>>,
    { sessionId = randomUUID(), ...question }: Omit<Question, 'body'> & { sessionId?: string } = {},
  ): Promise<AskedAnswer> {
    return this.send({
      ...question,
      headers: {
        'content-type': 'application/json',
        accept: acceptedAnswers,
        [runtimeHeaders.sessionId]: sessionId,
        ...question.headers,
      },
      body: JSON.stringify(payload),
    });
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('The doctor has ended.'));
    const started = await Promise.allSettled(this.#starts);
    await Promise.all(started.map(async (start) => start.status === 'fulfilled' && start.value.kill()));
    await this.#lone?.catch(() => undefined);
    await Promise.all([this.bucket, this.users, ...this.models].map((part) => part.close()));
  }

  /** Variables of this environment that a container gets. */
  get #region(): NodeJS.ProcessEnv {
    const { AWS_REGION, AWS_DEFAULT_REGION } = this.#options.env;
    return { AWS_REGION, AWS_DEFAULT_REGION };
  }

  #environment(given = this.#options.env): NodeJS.ProcessEnv {
    return checkedAgentEnvironment(given, {
      s3Url: this.bucket.url,
      users: this.users,
      secret: this.secret,
    });
  }
}

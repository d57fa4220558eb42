import { randomUUID } from 'node:crypto';
import { runtimeHeaders } from '@art/protocol';
import { type AgentProcess, startAgentProcess } from './agent-process.ts';
import { type Answer, ask, type Question } from './ask.ts';
import { containerOf, findContainerEngine } from './container.ts';
import { type LoneBundle, startLoneBundle } from './lone-bundle.ts';
import { aroundContainer, onThisMachine } from './place.ts';
import { openRecordingModel, type RecordingModel } from './recording-model.ts';
import { openResultBucket, type ResultBucket } from './result-bucket.ts';

export interface RoomOptions {
  /** What starts the agent, with its bundle where it is one file; an image; or the URL of an agent that runs. */
  agent:
    | { command: string | readonly string[]; cwd: string; bundle?: string | undefined }
    | { image: string }
    | { url: string };
  /** A request that the agent can answer. */
  payload: Readonly<Record<string, unknown>>;
  env: NodeJS.ProcessEnv;
}

/** AWS waits so long for a container; for code it is 30 s. */
const containerInitTimeoutMs = 120_000;

/**
 * What an agent is checked in: a bucket, two models, and the agent itself. Several checks look at one and the same exchange, which
 * happens once.
 */
export class Room {
  readonly bucket: ResultBucket;
  /** Two endpoints, so that an agent that asks the wrong one is seen. */
  readonly models: readonly [RecordingModel, RecordingModel];
  readonly payload: Readonly<Record<string, unknown>>;
  readonly #options: RoomOptions;
  /** What runs its image. */
  readonly #engine: string | undefined;
  readonly #once = new Map<string, Promise<unknown>>();
  readonly #starts: Promise<AgentProcess>[] = [];
  #lone: Promise<LoneBundle> | undefined;
  readonly #closing = new AbortController();

  private constructor(
    options: RoomOptions,
    engine: string | undefined,
    bucket: ResultBucket,
    models: [RecordingModel, RecordingModel],
  ) {
    this.#engine = engine;
    this.#options = options;
    this.payload = options.payload;
    this.bucket = bucket;
    this.models = models;
  }

  /** @throws ArtError `ART_NO_CONTAINER_ENGINE` */
  static async open(options: RoomOptions): Promise<Room> {
    const engine = 'image' in options.agent ? findContainerEngine(options.env) : undefined;
    const place = engine === undefined ? onThisMachine : aroundContainer;
    const [bucket, first, second] = await Promise.all([
      openResultBucket(place),
      openRecordingModel(place),
      openRecordingModel(place),
    ]);
    return new Room(options, engine, bucket, [first, second]);
  }

  /** Whether the doctor starts the agent, and so can stop it. */
  get hasProcess(): boolean {
    return !('url' in this.#options.agent);
  }

  /** Whether the agent runs in a container, behind a port of this machine that was mapped to it. */
  get isContainer(): boolean {
    return 'image' in this.#options.agent;
  }

  /** The file that is all of the agent. */
  get bundle(): string | undefined {
    const { agent } = this.#options;
    return 'command' in agent ? agent.bundle : undefined;
  }

  /** What came of its bundle, which is started once and alone. */
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
  agent(): Promise<AgentProcess> {
    return this.once('agent', () => this.startAgent());
  }

  /** One beside it, which is asked nothing but pings, and stopped in the end. */
  secondAgent(): Promise<AgentProcess> {
    return this.once('second agent', () => this.startAgent());
  }

  /** @throws Error where it does not start, or does not run here */
  async startAgent(): Promise<AgentProcess> {
    const { agent } = this.#options;
    if ('url' in agent) throw new Error('This agent was not started here.');
    const env = this.#environment();
    const { signal } = this.#closing;
    const start =
      'image' in agent
        ? startAgentProcess(containerOf(this.#engine!, agent.image, env), env, {
            cwd: process.cwd(),
            signal,
            initTimeoutMs: containerInitTimeoutMs,
          })
        : startAgentProcess(agent.command, env, { cwd: agent.cwd, signal });
    this.#starts.push(start);
    return start;
  }

  async url(): Promise<string> {
    const { agent } = this.#options;
    return 'url' in agent ? agent.url.replace(/\/$/, '') : (await this.agent()).url;
  }

  async ping(): Promise<Answer> {
    return ask(`${await this.url()}/ping`, { timeoutMs: 10_000 });
  }

  /** Sends bytes to `/invocations` with these headers alone. */
  async send(question: Question): Promise<Answer> {
    return ask(`${await this.url()}/invocations`, { method: 'POST', ...question });
  }

  /** Sends a payload as AgentCore's clients do, in a session of its own unless one is given. */
  async invoke(
    payload: Readonly<Record<string, unknown>>,
    { sessionId = randomUUID(), ...question }: Omit<Question, 'body'> & { sessionId?: string } = {},
  ): Promise<Answer> {
    return this.send({
      ...question,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
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
    await Promise.all([this.bucket, ...this.models].map((part) => part.close()));
  }

  /** As in AgentCore, but that S3 is here and that nothing of this user's rights reaches the agent. */
  #environment(): NodeJS.ProcessEnv {
    const { url } = this.bucket;
    const {
      ART_HOST: _host,
      ART_RESULT_STORE: _store,
      AWS_PROFILE: _profile,
      AWS_SESSION_TOKEN: _token,
      ...env
    } = this.#options.env;
    return {
      ...env,
      AWS_ENDPOINT_URL: url,
      AWS_ENDPOINT_URL_S3: url,
      AWS_ACCESS_KEY_ID: 'doctor',
      AWS_SECRET_ACCESS_KEY: 'doctor',
      AWS_REGION: env['AWS_REGION'] ?? 'us-west-2',
      AWS_DEFAULT_REGION: env['AWS_DEFAULT_REGION'] ?? 'us-west-2',
    };
  }
}

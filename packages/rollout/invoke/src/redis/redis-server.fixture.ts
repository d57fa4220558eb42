import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';

/** True if a `redis-server` binary is on the PATH. */
export function hasRedisServer(): boolean {
  return spawnSync('redis-server', ['--version']).status === 0;
}

/** A real Redis on a socket file, so that it can be killed and come back at the same address without taking a port. */
export class RedisServer implements AsyncDisposable {
  readonly #folder: string;
  readonly #clients: Redis[] = [];
  #process: ChildProcess | undefined;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async create(): Promise<RedisServer> {
    return new RedisServer(await mkdtemp(join(tmpdir(), 'art-redis-')));
  }

  /** The path that clients connect to. */
  get socket(): string {
    return join(this.#folder, 'redis.sock');
  }

  /** Starts it, empty, and waits until it answers. */
  async start(): Promise<void> {
    const options = ['--port', '0', '--unixsocket', this.socket, '--dir', this.#folder, '--save', ''];
    this.#process = spawn('redis-server', options, { stdio: 'ignore' });
    const probe = new Redis(this.socket, { retryStrategy: () => 20, maxRetriesPerRequest: null });
    probe.on('error', () => {});
    await probe.ping();
    probe.disconnect();
  }

  async kill(): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const gone = once(running, 'exit');
    running.kill('SIGKILL');
    await gone;
  }

  /** Stops it from answering without closing a connection. */
  freeze(): void {
    this.#process?.kill('SIGSTOP');
  }

  thaw(): void {
    this.#process?.kill('SIGCONT');
  }

  /** A client as a user would make it; it connects only if it is used. */
  client(): Redis {
    const client = new Redis(this.socket, { lazyConnect: true });
    this.#clients.push(client);
    return client;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#clients) client.disconnect();
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { runtimeHeaders } from '../../runtime/runtime-headers.ts';
import { ripEnvelopeField } from '../rip-request.ts';
import type { RipCheck, RipServer, RipServerCapability } from './rip-check.ts';

export interface RipAnswer {
  status: number;
  /** Parsed; the text where it is no JSON. */
  body: unknown;
}

export interface SendOptions {
  /** null sends no session header. @default the session of the check */
  session?: string | null;
  /** @default the invocation of the check */
  id?: string;
  signal?: AbortSignal;
}

export interface StartOptions extends SendOptions {
  /** Left out of the envelope where it is undefined. */
  background?: boolean | undefined;
}

/** A server seen from one check, with a session and an invocation id that no other check uses. */
export class RipRoom {
  readonly server: RipServer;
  readonly session: string = randomUUID();
  readonly id: string = `inv-${randomUUID()}`;

  constructor(server: RipServer) {
    this.server = server;
  }

  async post(payload: unknown, { session = this.session, signal }: SendOptions = {}): Promise<RipAnswer> {
    const answer = await fetch(`${this.server.url}/invocations`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(session !== null && { [runtimeHeaders.sessionId]: session }),
      },
      body: JSON.stringify(payload),
      ...(signal !== undefined && { signal }),
    });
    const text = await answer.text();
    try {
      return { status: answer.status, body: JSON.parse(text) as unknown };
    } catch {
      return { status: answer.status, body: text };
    }
  }

  /** The state that a start is answered with. */
  async start(
    payload: object,
    { background, ...options }: StartOptions = {},
  ): Promise<Record<string, unknown>> {
    const envelope = { version: 1, operation: 'start', invocation_id: options.id ?? this.id };
    return this.#state(
      { ...payload, [ripEnvelopeField]: { ...envelope, ...(background !== undefined && { background }) } },
      options,
    );
  }

  /** The state that a get is answered with. */
  async get(options: SendOptions = {}, payload: object = {}): Promise<Record<string, unknown>> {
    const envelope = { version: 1, operation: 'get', invocation_id: options.id ?? this.id };
    return this.#state({ ...payload, [ripEnvelopeField]: envelope }, options);
  }

  /** Asks until the invocation is over. */
  async ended(options: SendOptions = {}): Promise<Record<string, unknown>> {
    for (;;) {
      const state = await this.get(options);
      if (state['status'] !== 'in_progress') return state;
      await sleep(20);
    }
  }

  async ping(): Promise<unknown> {
    const answer = await fetch(`${this.server.url}/ping`);
    return ((await answer.json()) as Record<string, unknown>)['status'];
  }

  /** Lets the handlers continue whose payload says `until` with this key. */
  async release(key: string): Promise<void> {
    await this.post({ do: 'release', key });
  }

  /** How often a handler that counts by this key has run, this time included. */
  async count(key: string): Promise<unknown> {
    return (await this.start({ do: 'count', key }, { id: `count-${randomUUID()}` }))['result'];
  }

  async #state(payload: object, options: SendOptions): Promise<Record<string, unknown>> {
    const { status, body } = await this.post(payload, options);
    equal(status, 200, `expected status 200, got ${status}: ${JSON.stringify(body)}`);
    ok(
      typeof body === 'object' && body !== null && !Array.isArray(body),
      `expected a state, got ${JSON.stringify(body)}`,
    );
    const state = body as Record<string, unknown>;
    equal(state['version'], 1, 'version');
    equal(state['invocation_id'], options.id ?? this.id, 'invocation_id');
    return state;
  }
}

/** Compares what RIP says of an invocation; further members of a reply are a server's own affair. */
export function sameState(state: Record<string, unknown>, expected: Record<string, unknown>): void {
  const { status } = state;
  const told: Record<string, unknown> = { status };
  for (const name of ['result', 'error']) if (Object.hasOwn(state, name)) told[name] = state[name];
  deepEqual(told, expected);
}

/** The error of a state that is completed with one. */
export function errorOf(state: Record<string, unknown>): string {
  equal(state['status'], 'completed');
  ok(!Object.hasOwn(state, 'result'), 'a state with an error has no result');
  const { error } = state;
  ok(
    typeof error === 'string' && error !== '',
    `expected an error with its reason, got ${JSON.stringify(error)}`,
  );
  return error;
}

export interface RipCheckInit {
  id: string;
  name: string;
  requires?: RipServerCapability;
  run: (room: RipRoom) => Promise<void>;
}

/** Makes a check whose `run` gets its own room. */
export function defineRipCheck({ id, name, requires, run }: RipCheckInit): RipCheck {
  return {
    id,
    name,
    timeoutMs: 120_000,
    ...(requires !== undefined && { requires }),
    run: (server) => run(new RipRoom(server)),
  };
}

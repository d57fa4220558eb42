import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GatewayClient } from '@art/gateway-client';
import type { EngineFault } from '../engine/engine-answer.ts';
import { startMockEngine } from '../engine/mock-engine.ts';
import { SeededRandom } from '../engine/seeded-random.ts';
import { callWires, completeTexts, requestOf, wireShapes, type ChaosCall } from './chaos-call.ts';
import { ChaosLedger, type ChaosLosses } from './chaos-ledger.ts';
import { KillableGateway } from './killable-gateway.ts';
import { markedAnswer, sampledBy } from './marked-answer.ts';

export interface ChaosOptions {
  /** Replies that agents have to receive in full before it ends. */
  calls: number;
  /** Seed of every decision. Where the processes are when they are killed does not. */
  seed: number;
  /** @default 'vllm' */
  flavour?: 'vllm' | 'sglang';
  /** True if turns continue by their tokens. @default false */
  continuesTurns?: boolean;
  /** @default 12 */
  agents?: number;
  /** Replies between two kills, about. @default 500 */
  callsPerKill?: number;
  /** Called with what was reached after each kill. */
  onKill?(report: ChaosReport): void;
}

export interface ChaosReport {
  received: number;
  kills: number;
  /** Calls that agents broke off, that broke off under them, and that were refused. */
  disconnects: number;
  broken: number;
  refused: number;
  /** Answers that the engine broke off or replaced by a fault. */
  engineFaults: number;
  capturesCompared: number;
  tokensCompared: number;
  partialCaptures: number;
  /** Prompts that continue from a reply, with its tokens and without. */
  continuedPrompts: number;
  renderedPrompts: number;
  losses: ChaosLosses;
  examples: readonly string[];
  wallMs: number;
}

/**
 * Agents, an engine and a gateway, all of which fail at any moment, the gateway by `kill -9`. After each kill it is started
 * over the same directory, and every reply that an agent had received in full is looked up in its captures.
 */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const directory = await mkdtemp(join(tmpdir(), 'art-gateway-chaos-'));
  try {
    return await new ChaosRun(options).play(directory);
  } finally {
    await rm(directory, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** Where an agent is when the gateway is killed. */
interface AgentSession {
  sessionId: string;
  turnsLeft: number;
  conversation: string[];
}

class ChaosRun {
  readonly #options: Required<Omit<ChaosOptions, 'onKill'>> & Pick<ChaosOptions, 'onKill'>;
  readonly #ledger: ChaosLedger;
  readonly #random: SeededRandom;
  readonly #startedMs = performance.now();
  readonly #finished: string[] = [];
  readonly #counts = { received: 0, kills: 0, disconnects: 0, broken: 0, refused: 0, engineFaults: 0 };
  #sessionCount = 0;
  #url = '';
  #isUp = true;
  #killAt = 0;

  constructor(options: ChaosOptions) {
    this.#options = { flavour: 'vllm', continuesTurns: false, agents: 12, callsPerKill: 500, ...options };
    this.#ledger = new ChaosLedger(options.seed, this.#options.continuesTurns);
    this.#random = new SeededRandom(options.seed, 1);
  }

  async play(directory: string): Promise<ChaosReport> {
    const { seed, agents, calls, callsPerKill, flavour, continuesTurns } = this.#options;
    const engineOptions = {
      seed,
      keepCalls: false,
      answer: (_request: unknown, call: number, choice: number) => markedAnswer(seed, call, choice),
      fault: (_request: unknown, call: number) => this.#faultOf(call),
      onSampled: (...sampled: Parameters<ChaosLedger['sampled']>) => this.#ledger.sampled(...sampled),
    };
    await using engine = await startMockEngine({ ...engineOptions, flavour });
    await using gateway = new KillableGateway({
      db_path: join(directory, 'captures'),
      store_worker: 'disk',
      workers: [{ url: engine.url, flavour }],
      cumulative_token_mode: continuesTurns,
      retry: { baseDelayMs: 2, maxDelayMs: 20, connectionAttempts: 2 },
      log_level: 'silent',
    });
    await gateway.start();
    this.#url = gateway.url;

    const sessions = Array.from({ length: agents }, () => this.#newSession());
    while (this.#counts.received < calls) {
      this.#killAt = this.#counts.received + Math.ceil(callsPerKill * (0.5 + this.#random.next()));
      this.#killAt = Math.min(this.#killAt, calls);
      this.#isUp = true;
      const killed = Promise.withResolvers<void>();
      const playing = sessions.map((_session, at) => this.#playAgent(sessions, at, killed.resolve));
      // One is through with what was asked of it; the others are in the middle of something.
      await Promise.race([killed.promise, Promise.all(playing)]);
      await gateway.kill();
      this.#isUp = false;
      this.#counts.kills += 1;
      await Promise.all(playing);
      await gateway.start();
      this.#url = gateway.url;
      await this.#compare();
      this.#options.onKill?.(this.#report());
    }
    return this.#report();
  }

  async #playAgent(sessions: AgentSession[], at: number, onDue: () => void): Promise<void> {
    let isDue = false;
    while (this.#isUp && !isDue) {
      const session = sessions[at]!;
      await this.#playTurn(session);
      if (session.turnsLeft <= 0) {
        this.#finished.push(session.sessionId);
        sessions[at] = this.#newSession();
      }
      if (this.#counts.received >= this.#killAt) {
        isDue = true;
        onDue();
      }
    }
  }

  /** One call, and what comes of it. */
  async #playTurn(session: AgentSession): Promise<void> {
    const call = this.#chooseCall();
    const { path, body } = requestOf(call, session.conversation);
    const abort = new AbortController();
    const patience = this.#random.next() < 0.08 ? this.#random.below(8) : undefined;
    let received = '';
    try {
      const reply = fetch(`${this.#url}/sessions/${session.sessionId}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        signal: abort.signal,
      });
      if (patience !== undefined && !call.stream) void this.#leaveSoon(abort, patience);
      const { ok, body: stream } = await reply;
      const decoder = new TextDecoder();
      let pieces = 0;
      for await (const piece of stream ?? []) {
        received += decoder.decode(piece, { stream: true });
        pieces += 1;
        if (call.stream && pieces === patience) abort.abort();
      }
      if (!ok) {
        this.#counts.refused += 1;
        return;
      }
    } catch {
      if (abort.signal.aborted) this.#counts.disconnects += 1;
      else this.#counts.broken += 1;
    }
    this.#take(session, call, received);
  }

  /** Counts what was received if it is whole, however the connection ended. */
  #take(session: AgentSession, call: ChaosCall, received: string): void {
    const texts = completeTexts(call, received);
    if (texts === undefined) return;
    const shape = wireShapes[call.wire];
    for (const text of texts) {
      this.#ledger.received(session.sessionId, text, (seed, said) => {
        const sampled = sampledBy(seed, said);
        return sampled === undefined ? undefined : shape.expected(sampled.choice);
      });
    }
    this.#counts.received += 1;
    session.turnsLeft -= 1;
    session.conversation.push(texts[0]!, `and then, ${session.turnsLeft}?`);
  }

  async #leaveSoon(abort: AbortController, turns: number): Promise<void> {
    for (let turn = 0; turn < turns * 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    abort.abort();
  }

  #chooseCall(): ChaosCall {
    const wire = this.#random.pick(callWires);
    const choices = (wire === 'chat' || wire === 'completions') && this.#random.next() < 0.15 ? 2 : 1;
    return { wire, stream: this.#random.next() < 0.5, choices };
  }

  #newSession(): AgentSession {
    this.#sessionCount += 1;
    const sessionId = `chaos-${this.#options.seed}-${this.#sessionCount}`;
    return { sessionId, turnsLeft: 1 + this.#random.below(10), conversation: [`Session ${sessionId} 🙂`] };
  }

  #faultOf(callNumber: number): EngineFault | undefined {
    const random = new SeededRandom(this.#options.seed, callNumber, 11);
    const dice = random.next();
    if (dice > 0.12) return undefined;
    this.#counts.engineFaults += 1;
    if (dice < 0.03) return { kind: 'refuse', status: random.pick([429, 500, 503]), message: 'busy' };
    if (dice < 0.035) return { kind: 'refuse', status: 400, message: 'too long' };
    if (dice < 0.07) return { kind: 'drop' };
    return { kind: 'cut', afterBytes: 1 + random.below(3_000) };
  }

  /** Holds every session against the ledger; those that are over are deleted. */
  async #compare(): Promise<void> {
    const control = new GatewayClient({ url: this.#url });
    for (const sessionId of this.#ledger.sessionIds) {
      this.#ledger.compare(sessionId, await control.captures(sessionId));
    }
    const over = this.#finished.splice(0);
    await control.deleteSessions(over);
    for (const sessionId of over) this.#ledger.forget(sessionId);
  }

  #report(): ChaosReport {
    const { capturesCompared, tokensCompared, partialCaptures, losses, examples } = this.#ledger;
    const { continuedPrompts, renderedPrompts } = this.#ledger;
    return {
      ...this.#counts,
      capturesCompared,
      tokensCompared,
      partialCaptures,
      continuedPrompts,
      renderedPrompts,
      losses,
      examples,
      wallMs: Math.round(performance.now() - this.#startedMs),
    };
  }
}

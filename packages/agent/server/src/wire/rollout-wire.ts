import type { RolloutConfig } from '@art/protocol';
import type { FastifyBaseLogger } from 'fastify';

/**
 * A further way in which a trainer asks for rollouts, beside RIP and `_rollout`: how its requests are recognised, and how it is
 * told what became of them. The app runs the same handler, once for each id, and keeps the session busy until it is told.
 */
export interface RolloutWire {
  /** Names it in messages. */
  name: string;
  /**
   * The rollout that a payload asks for; undefined if the payload is not of this wire. It is called for every request
   * without `_rollout` and without an envelope, so it must have no side effect.
   * @throws ArtError answered with 400
   */
  read: (payload: Record<string, unknown>) => WireRollout | undefined;
}

/** A rollout as a wire asks for it. */
export interface WireRollout {
  /** Requests with the same id run once in this process. */
  id: string;
  /**
   * True if the request is answered at once. Otherwise the answer is the handler's return value, sent after the report
   * to the trainer.
   */
  background: boolean;
  /** Members of the payload that a schema of the handler need not know. */
  carried: readonly string[];
  /** Longest that the handler may take, in ms. @default the app's `maxRolloutMs` */
  maxRolloutMs?: number | undefined;
  /** Gets ready what the handler works with. Called once, and `close` of what it gives once. */
  open: () => Promise<OpenWireRollout>;
}

/** A rollout that a wire has recognised, and the way back to its trainer. */
export interface OpenWireRollout {
  /** The config that the handler finds in `context.rollout`; its `target` is ignored. */
  rollout: RolloutConfig;
  /**
   * Tells the trainer. Never called before the handler has ended or was given up.
   * @param signal aborts when the process ends
   */
  deliver: (outcome: WireOutcome, context: { log: FastifyBaseLogger; signal: AbortSignal }) => Promise<void>;
  /** Lets go of everything; called after `deliver`, or when the rollout was refused. */
  close: () => Promise<void>;
}

/** The outcome of the handler: its value, or why there is none. */
export type WireOutcome = { kind: 'returned'; value: unknown } | { kind: 'failed'; error: unknown };

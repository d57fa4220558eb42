import type { Clock } from '@art/ground';
import type { AgentRuntime } from '@art/protocol';
import type { ResultSource } from './result-source.ts';
import type { RolloutEvent } from './rollout-event.ts';
import type { SessionStops } from './session-stops.ts';

export type RolloutListener = (event: RolloutEvent) => void;

/** The dependencies that every rollout of a client shares. */
export interface RolloutDeps {
  runtime: AgentRuntime;
  /** Where results appear. */
  source: ResultSource;
  stops: SessionStops;
  clock: Clock;
  /** Called with every step of every rollout, after the one that started it. */
  emit: RolloutListener;
  /** Tells the operator of something that costs money or needs repair and belongs to no caller. */
  warn: (message: string) => void;
}

import type { Seen } from './finding.ts';
import type { Room } from './room/room.ts';

/** A check of what one exchange with the agent has shown; several may look at the same. */
export const lookAt =
  <T>(exchange: (room: Room) => Promise<T>) =>
  (look: (shown: T, room: Room) => Seen): AgentCheck['run'] =>
  async (room) =>
    look(await exchange(room), room);

/** One thing that an agent must do, or that its trainers, users or AWS stumble over. */
export interface AgentCheck {
  /** Stable: `ping.time-in-seconds`. */
  id: string;
  /** A sentence about the agent: "says since when it is so in whole seconds". */
  title: string;
  why: string;
  todo: string;
  /** Need of the check: a process that the doctor has started itself. */
  requires?: 'process';
  /** Checks of which this one is a consequence: it is skipped where one of them has found a fault. */
  after?: string | readonly string[];
  /** @throws anything that kept it from an answer, which is a fault */
  run: (room: Room) => Promise<Seen>;
}

import { setImmediate as turn } from 'node:timers/promises';

/**
 * Waits until the event loop has handled all I/O that arrived before this call: a connection, data, a child that ended.
 * Node tells of due timers first (https://nodejs.org/learn/asynchronous-work/event-loop-timers-and-nexttick), so in a process that was held up a
 * time-out comes before the answer that arrived in time. Wait for this before a time-out is believed.
 */
export async function arrivedEvents(): Promise<void> {
  // A child's end is told one turn after its signal.
  for (let turns = 0; turns < 2; turns += 1) await turn();
}

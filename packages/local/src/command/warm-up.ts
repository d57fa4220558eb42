import type { CommandEvent } from './command-event-frame.ts';

/** What `AgentCoreS3Session` of the Python toolkit (0.2.0) has every session run, to start it before its rollout. */
const warmUp = ['echo', 'hello'];

export function isWarmUp(argv: readonly string[]): boolean {
  return argv.length === warmUp.length && argv.every((word, at) => word === warmUp[at]);
}

/** Says what the warm-up would print. Nothing is run, so it is safe where commands are not served. */
export async function answerWarmUp(emit: (event: CommandEvent) => Promise<void>): Promise<void> {
  await emit({ contentStart: {} });
  await emit({ contentDelta: { stdout: 'hello\n' } });
  await emit({ contentStop: { exitCode: 0, status: 'COMPLETED' } });
}

import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Waits for the end of its input, which comes with the end of the doctor, whatever ended it: the system closes a pipe even after
 * SIGKILL. A process that was let go has been told so by a line.
 */
const script = `
trap '' INT TERM HUP
read -r _ && exit
kill -s KILL -- "-$1"
shift
[ $# -eq 0 ] || "$@"
`;

/**
 * Sees to it that the group of a process does not outlive this one.
 * @param further a command that is run, too
 * @returns what lets go of it; to be called once the group has ended, for its number may then be another's
 */
export function guardGroup({ pid }: ChildProcess, further: readonly string[] = []): () => void {
  if (pid === undefined) return () => undefined;
  const guard = spawn('/bin/sh', ['-c', script, 'sh', String(pid), ...further], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without a guard the agent is checked all the same.
  guard.on('error', () => undefined);
  guard.stdin.on('error', () => undefined);
  guard.unref();
  return () => void guard.stdin.end('over\n');
}

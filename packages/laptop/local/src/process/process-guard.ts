import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Socket } from 'node:net';
import { ArtError } from '@art/ground';

/**
 * The guard's whole program, POSIX shell so that it costs a megabyte and survives bundling.
 *
 * It reads `add GROUP` and `drop GROUP` from its standard input. The end of that input is the death of the process that
 * started it, however it died: the kernel closes a pipe even after SIGKILL. Every group still listed is killed then.
 *
 * Signals meant for the terminal's foreground job must not end it before its work is done, and neither may the broken
 * pipe that an answer to a dead reader raises.
 */
const guardScript = `
trap '' INT TERM HUP QUIT PIPE
groups=' '
while read -r verb group; do
  case $verb in
    add) groups="$groups$group "; echo "added $group" ;;
    drop)
      case $groups in
        *" $group "*) groups="\${groups%% $group *} \${groups#* $group }" ;;
      esac ;;
  esac
done
for group in $groups; do
  kill -s KILL -- "-$group"
done
`;

/**
 * Holds a new process back until it is listed with the guard: it waits for a line on descriptor 3 and becomes the given
 * command only then. Should the parent die first, the descriptor ends and the process goes away by itself.
 */
export const heldStartScript = 'read -r go <&3 && exec "$@" 3<&-';

// A guard that never answers is a broken machine, not an accident to be repaired by starting it again and again.
const maxSilentRestarts = 3;

/**
 * Sees to it that no process group outlives this process, even when this process is killed with SIGKILL.
 * One small helper process per runtime is told every group; see {@link guardScript}. A guard that is killed is
 * replaced, and the new one is told everything again.
 */
export class ProcessGuard {
  readonly #groups = new Map<number, PromiseWithResolvers<void>>();
  #guard: ChildProcess | undefined;
  #silentRestarts = 0;
  #closed = false;

  /** The guard process, for diagnosis; undefined before the first group. */
  get pid(): number | undefined {
    return this.#guard?.pid;
  }

  /**
   * Resolves when the guard has taken note of a process group.
   * @throws ArtError `ART_SESSION_START_FAILED` when no guard can be run.
   */
  async protect(group: number): Promise<void> {
    const acknowledged = Promise.withResolvers<void>();
    this.#groups.set(group, acknowledged);
    if (this.#guard === undefined) this.#startGuard();
    else this.#tell(`add ${group}`);
    try {
      await acknowledged.promise;
    } catch (error) {
      this.#groups.delete(group);
      throw error;
    }
  }

  /** The group is gone; its number may be given to somebody else from now on. */
  release(group: number): void {
    if (this.#groups.delete(group)) this.#tell(`drop ${group}`);
  }

  /** Ends the guard, which kills what is still listed. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    const guard = this.#guard;
    if (guard === undefined || guard.exitCode !== null || guard.signalCode !== null) return;
    const exited = once(guard, 'exit');
    // Otherwise a process with nothing else to do would end before this promise does.
    guard.ref();
    guard.stdin?.end();
    await exited;
  }

  #startGuard(): void {
    if (this.#closed) return;
    // Detached: its own session keeps Ctrl-C and a closed terminal away from it.
    const guard = spawn('/bin/sh', ['-c', guardScript], {
      cwd: '/',
      env: {},
      detached: true,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.#guard = guard;
    let ended = false;
    const onEnd = (cause?: unknown): void => {
      if (ended) return;
      ended = true;
      this.#replaceGuard(cause);
    };
    guard.once('error', onEnd);
    guard.once('exit', () => onEnd());
    // Out of descriptors or processes: there is nobody to talk to.
    if (guard.pid === undefined) return;
    guard.stdin.on('error', () => {});
    createInterface({ input: guard.stdout }).on('line', (line) => {
      this.#silentRestarts = 0;
      this.#groups.get(Number(line.slice('added '.length)))?.resolve();
    });
    // The guard waits for this process, so this process must not wait for the guard.
    guard.unref();
    (guard.stdin as Socket).unref();
    (guard.stdout as Socket).unref();
    for (const group of this.#groups.keys()) this.#tell(`add ${group}`);
  }

  #replaceGuard(cause: unknown): void {
    this.#guard = undefined;
    if (this.#closed || this.#groups.size === 0) return;
    this.#silentRestarts += 1;
    if (this.#silentRestarts <= maxSilentRestarts) {
      this.#startGuard();
      return;
    }
    const error = new ArtError({
      code: 'ART_SESSION_START_FAILED',
      message:
        'Expected /bin/sh to run the guard that keeps sessions from outliving this process, but it ended ' +
        `${this.#silentRestarts} times without an answer. Check that this user may start processes.`,
      cause,
    });
    for (const waiting of this.#groups.values()) waiting.reject(error);
    this.#silentRestarts = 0;
  }

  #tell(line: string): void {
    this.#guard?.stdin?.write(`${line}\n`);
  }
}

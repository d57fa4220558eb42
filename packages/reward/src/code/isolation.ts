import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** A network with nothing in it, and a process tree that ends with its first process (unshare(1) of util-linux). */
const command = ['unshare', '--map-root-user', '--net', '--pid', '--fork', '--kill-child'];

let found: Promise<readonly string[] | undefined> | undefined;

/** What to put before a command so that it has no network; undefined where the system does not allow it. */
export function isolation(): Promise<readonly string[] | undefined> {
  found ??= promisify(execFile)(command[0]!, [...command.slice(1), 'true'], { timeout: 10_000 }).then(
    () => command,
    () => undefined,
  );
  return found;
}

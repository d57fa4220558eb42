import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Puts a command where there is nothing of this machine but what its interpreter is made of, to be read only. */
export interface Isolation {
  /** @param folder an empty one, which becomes the root @param network whether the machine's network stays */
  wrap: (folder: string, network: boolean, command: readonly string[]) => string[];
}

/** Where the program may write, in memory. */
const home = '/program';
const homeBytes = 64 * 2 ** 20;

/**
 * A root in memory with the system's programs and the interpreter, no /proc, and devices without a machine behind them. The second
 * unshare leaves no right to change that: mounts belong to the user of the first, and who has changed the root makes no new one.
 */
const setUp = `set -e
root=$1; count=$2; shift 2
mount -t tmpfs -o size=${homeBytes},mode=755 art "$root"
bind() {
  mount --bind "$1" "$root$1"
  for flags in ro ro,nosuid ro,nosuid,nodev ro,nosuid,noexec; do
    if mount -o "remount,bind,$flags" "$root$1" 2>/dev/null; then return; fi
  done
  exit 1
}
show() {
  if [ -L "$1" ]; then mkdir -p "$root$(dirname "$1")"; ln -s "$(readlink "$1")" "$root$1"
  elif [ -d "$1" ]; then mkdir -p "$root$1"; bind "$1"
  fi
}
for path in /usr /bin /sbin /lib /lib32 /lib64 /libx32 /nix/store; do show "$path"; done
while [ "$count" -gt 0 ]; do show "$1"; shift; count=$((count - 1)); done
mkdir -p "$root/dev" "$root/etc" "$root/tmp" "$root${home}"
# To a device one may write though it is read only; but a root user outside could change its mode.
for path in /dev/null /dev/zero /dev/random /dev/urandom; do : > "$root$path"; bind "$path"; done
if [ -e /etc/ld.so.cache ]; then cp /etc/ld.so.cache "$root/etc/"; fi
exec unshare --user --map-user=65534 --map-group=65534 --root="$root" --wd=${home} env HOME=${home} TMPDIR=/tmp "$@"`;

const found = new Map<string, Promise<Isolation | undefined>>();

/**
 * Isolation by the namespaces of Linux (unshare(1) of util-linux 2.36 or later); undefined where the system does not allow them.
 * @param interpreter its program @param folders what it needs beside the system's programs
 */
export function isolationFor(
  interpreter: string,
  folders: readonly string[],
): Promise<Isolation | undefined> {
  const known = found.get(interpreter) ?? tryIsolation(interpreter, folders);
  found.set(interpreter, known);
  return known;
}

async function tryIsolation(interpreter: string, folders: readonly string[]): Promise<Isolation | undefined> {
  if (process.platform !== 'linux') return undefined;
  const shown = await foldersOf(interpreter, folders);
  const isolation: Isolation = {
    wrap: (folder, network, command) => [
      'unshare',
      '--map-root-user',
      '--mount',
      '--pid',
      '--ipc',
      '--uts',
      '--fork',
      '--kill-child',
      ...(network ? [] : ['--net']),
      '/bin/sh',
      '-c',
      setUp,
      'sh',
      folder,
      String(shown.length),
      ...shown,
      ...command,
    ],
  };
  const folder = await mkdtemp(join(tmpdir(), 'art-code-'));
  try {
    const [program = '', ...args] = isolation.wrap(folder, false, [interpreter, '--version']);
    await run(program, args, { timeout: 60_000 });
    return isolation;
  } catch {
    return undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function foldersOf(interpreter: string, folders: readonly string[]): Promise<string[]> {
  const real = await Promise.all(folders.map((folder) => realpath(folder).catch(() => folder)));
  const all = [dirname(interpreter), dirname(await realpath(interpreter)), ...folders, ...real];
  const wanted = all.filter((folder) => folder !== '/' && !/^\/(?:usr|bin|sbin|lib)(?:\/|$)/.test(folder));
  // What lies within another one is there already.
  return [...new Set(wanted)].filter((folder) => !wanted.some((other) => folder.startsWith(`${other}/`)));
}

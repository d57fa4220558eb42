import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { promisify } from 'node:util';

/** Names one process for good: a process id alone is given out again. */
export interface ProcessIdentity {
  /** For people. */
  host: string;
  /** Processes with the same one can see each other: a boot, and the namespace of process ids. A host name may change with the network. */
  machine: string;
  pid: number;
  /** When it started, in the system's own notation. */
  startedAt: string;
}

/** This process. */
export async function processIdentity(): Promise<ProcessIdentity> {
  const process_ = await lookUp(process.pid);
  return {
    host: hostname(),
    machine: await machineName(),
    pid: process.pid,
    startedAt: process_.kind === 'running' ? process_.startedAt : '',
  };
}

/** State of a process; `unknown` where it cannot be seen from here. */
export async function processState(identity: ProcessIdentity): Promise<'alive' | 'dead' | 'unknown'> {
  if ((await machineName()) !== identity.machine) return 'unknown';
  const found = await lookUp(identity.pid);
  if (found.kind === 'gone') return 'dead';
  return found.startedAt === identity.startedAt ? 'alive' : 'dead';
}

type Found = { kind: 'running'; startedAt: string } | { kind: 'gone' };

function lookUp(pid: number): Promise<Found> {
  return process.platform === 'linux' ? lookUpInProc(pid) : lookUpWithPs(pid);
}

// After the command name, which may contain anything, a closing parenthesis and the fields from the third on; the start,
// in clock ticks since the boot, is the 22nd. A zombie has died and waits for its parent to take notice.
async function lookUpInProc(pid: number): Promise<Found> {
  let text: string;
  try {
    text = await readFile(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return { kind: 'gone' };
  }
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const startedAt = fields[22 - 3];
  if (startedAt === undefined || fields[0] === 'Z' || fields[0] === 'X') return { kind: 'gone' };
  return { kind: 'running', startedAt };
}

async function lookUpWithPs(pid: number): Promise<Found> {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'state=,lstart=', '-p', String(pid)], {
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
    });
    const [state = '', ...started] = stdout.trim().split(/\s+/);
    if (state === '' || state.startsWith('Z')) return { kind: 'gone' };
    return { kind: 'running', startedAt: started.join(' ') };
  } catch {
    // `ps` fails for a process that does not exist.
    return { kind: 'gone' };
  }
}

async function machineName(): Promise<string> {
  const parts =
    process.platform === 'linux'
      ? await Promise.all([
          readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
          readlink('/proc/self/ns/pid').catch(() => ''),
        ])
      : [await bootSession()];
  const known = parts.map((part) => part.trim()).filter((part) => part !== '');
  return known.length === 0 ? hostname() : known.join('/');
}

function bootSession(): Promise<string> {
  return promisify(execFile)('sysctl', ['-n', 'kern.bootsessionuuid']).then(
    ({ stdout }) => stdout,
    () => '',
  );
}

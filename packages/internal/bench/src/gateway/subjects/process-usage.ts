import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Resources that a process has used so far. */
export interface ProcessUsage {
  /** All its threads, user and system. */
  cpuMs: number;
  rssBytes: number;
}

// Source: proc_pid_stat(5), fields 14, 15 and 24; the name before them may hold blanks.
const userField = 11;
const systemField = 12;
const residentField = 21;
let system: { ticksPerSecond: number; pageBytes: number } | undefined;

/** Reads what the system says of a process, whatever it is written in. */
export function processUsage(pid: number): ProcessUsage {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

function fromProc(pid: number): ProcessUsage {
  system ??= { ticksPerSecond: configured('CLK_TCK'), pageBytes: configured('PAGESIZE') };
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[userField]) + Number(fields[systemField]);
  return {
    cpuMs: (ticks * 1_000) / system.ticksPerSecond,
    rssBytes: Number(fields[residentField]) * system.pageBytes,
  };
}

function fromPs(pid: number): ProcessUsage {
  const text = execFileSync('ps', ['-o', 'time=,rss=', '-p', String(pid)], { encoding: 'latin1' });
  const [time = '', kibibytes = ''] = text.trim().split(/\s+/);
  const seconds = time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return { cpuMs: seconds * 1_000, rssBytes: Number(kibibytes) * 1_024 };
}

function configured(name: string): number {
  return Number(execFileSync('getconf', [name], { encoding: 'latin1' }));
}

import { readdirSync, readFileSync } from 'node:fs';

/** Sends a signal to every process of a group; a group that is gone already is no error. */
export function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch {
    // ESRCH: gone. EPERM: macOS answers that for a group of zombies.
  }
}

/** True if a group still has a process that runs. Zombies do not count: in a container nobody may ever collect them. */
export function isGroupAlive(group: number): boolean {
  try {
    process.kill(-group, 0);
  } catch {
    return false;
  }
  // Linux delivers signal 0 to zombies as well, so a group that answers may be dead all the same.
  return process.platform !== 'linux' || hasRunningMember(group);
}

function hasRunningMember(group: number): boolean {
  let entries: string[];
  try {
    entries = readdirSync('/proc');
  } catch {
    return true;
  }
  return entries.some((entry) => {
    if (!/^\d+$/.test(entry)) return false;
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'latin1');
      // "pid (name) state ppid pgrp ...": the name may hold blanks and brackets. Source: proc(5).
      const [state, , memberOf] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return Number(memberOf) === group && state !== 'Z' && state !== 'X';
    } catch {
      return false;
    }
  });
}

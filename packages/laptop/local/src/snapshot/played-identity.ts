import os from 'node:os';
import { syncBuiltinESMExports } from 'node:module';
import type { SnapshotRecord } from './snapshot-record.ts';

/** The host is `localhost` and the process 1, as in every session. A signal that the agent sends to itself still arrives. */
export function playIdentity(record: SnapshotRecord): void {
  const { pid } = process;
  const kill = process.kill.bind(process);
  os.hostname = () => {
    record.note({ kind: 'host-name', value: 'localhost' }, { byAgent: true });
    return 'localhost';
  };
  syncBuiltinESMExports();
  Object.defineProperty(process, 'pid', {
    configurable: true,
    enumerable: true,
    get() {
      record.note({ kind: 'process-id', value: 1 }, { byAgent: true });
      return 1;
    },
  });
  process.kill = (target, signal) => {
    // Without this the agent would signal the first process of this machine, or all of this user's.
    const meant = target === 1 ? pid : target === -1 ? -pid : target;
    return kill(meant, signal);
  };
}

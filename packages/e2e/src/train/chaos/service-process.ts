import { startLocalTrainingSessions } from '@art/train/local';
import { echoShape, keys } from '../played-training.ts';

/** Whom to kill, and at which call from now on. */
export interface KillOrder {
  calls: number;
  /** Undefined: the service itself. */
  pid: number | undefined;
  /** Whether the call is taken first. */
  isAfter: boolean;
}

const [directory = '', port = ''] = process.argv.slice(2);
let order: KillOrder | undefined;
const sessions = await startLocalTrainingSessions({
  directory,
  port: Number(port),
  shape: echoShape,
  credentials: keys,
  describesUntilRunning: 0,
  pollsUntilDone: 0,
  fault: () => {
    if (order === undefined) return undefined;
    order.calls -= 1;
    if (order.calls > 0) return undefined;
    const { pid = process.pid, isAfter } = order;
    order = undefined;
    const kill = (): void => void process.kill(pid, 'SIGKILL');
    if (isAfter) setImmediate(kill);
    else kill();
    return undefined;
  },
});
process.on('message', (message: KillOrder | 'statuses') => {
  if (message === 'statuses') process.send!(sessions.statuses());
  else order = message;
});
process.on('disconnect', () => process.exit());
process.send!(sessions.endpoint);

import type { PolicyShape } from '@art/train/local';
import {
  startLocalTrainingSessions,
  type TrainingSessionCall,
  type TrainingSessionFault,
} from '@art/training-stand-in';
import { SeededRandom } from '../../chaos/seeded-random.ts';
import { keys } from '../played-training.ts';

/** Whom to kill, and at which call from now on. */
export interface KillOrder {
  calls: number;
  /** Undefined: the service itself. */
  pid: number | undefined;
  /** True if the call is taken first. */
  isAfter: boolean;
}

export interface ServiceTask {
  directory: string;
  port: number;
  shape: PolicyShape;
  /** Decides which calls go wrong, and how. Undefined: none. */
  faultSeed?: number | undefined;
}

/** News of the process once it has told its address. */
export type ServiceNews = { statuses: Record<string, string> } | { endedBy: 'gap' | 'expire' };

const { directory, port, shape, faultSeed } = JSON.parse(process.argv[2] ?? '{}') as ServiceTask;
const random = faultSeed === undefined ? undefined : new SeededRandom(faultSeed, 'service');
let order: KillOrder | undefined;
const sessions = await startLocalTrainingSessions({
  directory,
  port,
  shape,
  credentials: keys,
  describesUntilRunning: 0,
  pollsUntilDone: 0,
  gapTimeoutMs: 300,
  fault: (call) => {
    killInTurn();
    return random && faultOf(random, call);
  },
});

function killInTurn(): void {
  if (order === undefined) return;
  order.calls -= 1;
  if (order.calls > 0) return;
  const { pid = process.pid, isAfter } = order;
  order = undefined;
  const kill = (): void => void process.kill(pid, 'SIGKILL');
  if (isAfter) setImmediate(kill);
  else kill();
}

function faultOf(
  random: SeededRandom,
  { operation, session }: TrainingSessionCall,
): TrainingSessionFault | undefined {
  if (session !== undefined && random.chance(0.004)) return ending('expire');
  if (operation === 'ExecuteTrainingOperation' && random.chance(0.03)) return ending('gap');
  if (!random.chance(0.08)) return undefined;
  return random.pick<TrainingSessionFault>([
    { kind: 'error', status: 429 },
    { kind: 'error', status: 500 },
    { kind: 'error', status: 503 },
    { kind: 'reset' },
    { kind: 'lose_reply' },
    { kind: 'delay', delayMs: 50 },
  ]);
}

function ending(kind: 'gap' | 'expire'): TrainingSessionFault {
  tell({ endedBy: kind });
  return { kind };
}

function tell(news: ServiceNews): void {
  process.send!(news);
}

process.on('message', (message: KillOrder | 'statuses') => {
  if (message === 'statuses') tell({ statuses: sessions.statuses() });
  else order = message;
});
process.on('disconnect', () => process.exit());
process.send!(sessions.endpoint);

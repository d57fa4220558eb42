import type { FaultKind } from './fault.ts';
import type { FaultOperation } from './fault-operation.ts';

/** Which faults make sense where; a plan that asks for another combination is refused. */
export const faultsByOperation: Record<FaultOperation, readonly FaultKind[]> = {
  start: ['kill'],
  invoke: ['kill', 'drop', 'delay', 'duplicate', 'reset', 'error'],
  stop: ['drop', 'delay', 'reset', 'error'],
  command: ['drop', 'delay', 'reset', 'error'],
  ping: ['lose_pings'],
  s3_put: [
    'kill',
    'drop',
    'delay',
    'reset',
    'error',
    'hide_from_lists',
    'hide_from_reads',
    'forget',
    'slow_body',
  ],
  s3_get: ['drop', 'delay', 'reset', 'error', 'slow_body'],
  s3_head: ['drop', 'delay', 'reset', 'error'],
  s3_list: ['drop', 'delay', 'reset', 'error'],
  s3_delete: ['drop', 'delay', 'reset', 'error'],
};

/** A fault on a command ends before its output begins. */
export const operationsWithoutAfter: readonly FaultOperation[] = ['command'];

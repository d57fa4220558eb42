/**
 * Where a fault can strike. `start` is a session that begins, `ping` a health check that the runtime makes; the others are
 * requests that arrive.
 */
export const faultOperations = [
  'start',
  'invoke',
  'stop',
  'command',
  'ping',
  's3_put',
  's3_get',
  's3_head',
  's3_list',
  's3_delete',
] as const;

export type FaultOperation = (typeof faultOperations)[number];

export type S3FaultOperation = Extract<FaultOperation, `s3_${string}`>;

export function isS3Operation(operation: FaultOperation): operation is S3FaultOperation {
  return operation.startsWith('s3_');
}

import type { WeightMark } from '../../sessions/weight-version.ts';
import type { ReadyCall } from '../prepare/ready-call.ts';
import type { StreamReply, WholeReply } from '../send/receive-reply.ts';
import type { WorkerAnswer } from '../send/try-workers.ts';

/** What one worker was sent, and what it answered. */
export type AnsweredCall = WorkerAnswer<{
  ready: ReadyCall;
  reply: WholeReply | StreamReply;
  /** Which weights were announced when it was asked. */
  weightMark: WeightMark;
}>;

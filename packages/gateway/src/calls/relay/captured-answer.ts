import type { WeightMark } from '../../sessions/weight-version.ts';
import type { ReadyCall } from '../prepare/ready-call.ts';
import type { StreamReply, WholeReply } from '../send/receive-reply.ts';
import type { WorkerAnswer } from '../send/try-workers.ts';

/** What one worker was sent, and what it answered. */
export interface CapturedAnswer<
  Ready extends ReadyCall = ReadyCall,
  Reply extends WholeReply | StreamReply = WholeReply | StreamReply,
> {
  ready: Ready;
  reply: Reply;
  /** Which weights were announced when it was asked. */
  weightMark: WeightMark;
}

/** The same of the worker whose answer counts. */
export type AnsweredCall<
  Ready extends ReadyCall = ReadyCall,
  Reply extends WholeReply | StreamReply = WholeReply | StreamReply,
> = WorkerAnswer<CapturedAnswer<Ready, Reply>>;

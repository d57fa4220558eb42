import type { CaptureStatus } from '@art/trajectories';
import type { CapturedChoice, CapturedReply } from './captured-reply.ts';

/** How true the capture of a choice is. */
export function captureStatus(
  choice: Pick<CapturedChoice, 'hasTokenIds' | 'problems'>,
  reply: Pick<CapturedReply, 'ended'>,
): CaptureStatus {
  if (!reply.ended) return 'partial';
  if (choice.problems.length > 0) return 'incomplete';
  return choice.hasTokenIds ? 'complete' : 'text_only';
}

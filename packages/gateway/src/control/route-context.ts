import type { CallContext } from '../calls/call/call-context.ts';

/** What the control routes work with. */
export interface RouteContext extends CallContext {
  /** Told when sessions were deleted; whoever keeps something for a session lets go of it. */
  readonly sessionsDeleted: ((sessionIds: readonly string[]) => void)[];
}

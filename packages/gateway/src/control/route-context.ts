import type { ProxyContext } from '../calls/call/proxy-context.ts';
import type { TrajectorySessions } from '../trajectories/trajectory-sessions.ts';

/** What the control routes work with. */
export interface RouteContext extends ProxyContext {
  readonly trajectories: TrajectorySessions;
  /** Told when sessions were deleted; whoever keeps something for a session lets go of it. */
  readonly sessionsDeleted: ((sessionIds: readonly string[]) => void)[];
}

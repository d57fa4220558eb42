import type { Static } from 'typebox';
import type { PingReplySchema } from '../schemas.ts';

export type PingReply = Static<typeof PingReplySchema>;

/** `HealthyBusy`: background work continues, the session must not be reclaimed. */
export type PingStatus = PingReply['status'];

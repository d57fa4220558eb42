import { Type } from 'typebox';

/**
 * The answer to `GET /ping`. `time_of_last_update` is in unix seconds, an integer, and changes only when the status
 * changes: stamped anew on every ping it would keep a session alive for its maximum lifetime, as an ISO string it
 * would disable the busy state. Source: runtime HTTP protocol contract.
 */
export const PingReplySchema = Type.Object({
  status: Type.Union([Type.Literal('Healthy'), Type.Literal('HealthyBusy')]),
  time_of_last_update: Type.Optional(Type.Integer({ minimum: 0 })),
});

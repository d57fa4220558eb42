import type { JsonObject } from '@art/protocol';
import { Type } from 'typebox';

const Seconds = Type.Number({ description: 'seconds since the Unix epoch' });

/** `SessionInfo` on the wire; unknown members are allowed. */
export const SessionInfoSchema = Type.Object(
  {
    session_id: Type.String({ minLength: 1 }),
    trace_count: Type.Integer({ minimum: 0 }),
    created_at: Seconds,
    metadata: Type.Unsafe<JsonObject>(Type.Record(Type.String(), Type.Unknown())),
    first_trace_at: Type.Optional(Type.Union([Seconds, Type.Null()])),
    last_trace_at: Type.Optional(Type.Union([Seconds, Type.Null()])),
    incomplete_count: Type.Optional(Type.Integer({ minimum: 0 })),
    active_calls: Type.Optional(Type.Integer({ minimum: 0 })),
    finished: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: true },
);

/** `WorkerInfo` on the wire; unknown members are allowed. */
export const WorkerInfoSchema = Type.Object(
  {
    worker_id: Type.String(),
    url: Type.String(),
    api_path: Type.String(),
    model_name: Type.Union([Type.String(), Type.Null()]),
    weight: Type.Number(),
    healthy: Type.Boolean(),
    active_requests: Type.Integer({ minimum: 0 }),
    flavour: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  },
  { additionalProperties: true },
);

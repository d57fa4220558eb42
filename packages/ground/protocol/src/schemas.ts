/** The shapes of every message, as they are on the wire. Apart from their readers, since TypeBox is slow to load. */
import { Type } from 'typebox';

/** Ids are text; Python callers also send plain integers, which their side formats into the key as they are. */
const Id = Type.Union([Type.String({ minLength: 1 }), Type.Integer()]);

/**
 * The `_rollout` object inside an invocation's payload. exp_id, input_id and s3_bucket come together or not at all; every
 * further field passes through untouched.
 */
export const RolloutConfigSchema = Type.Object(
  {
    exp_id: Type.Optional(Id),
    input_id: Type.Optional(Id),
    s3_bucket: Type.Optional(Type.String({ minLength: 1 })),
    base_url: Type.Optional(Type.String()),
    model_id: Type.Optional(Type.String()),
    api_key: Type.Optional(Type.String()),
    sampling_params: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    prompts: Type.Optional(Type.Record(Type.String(), Type.String())),
  },
  { additionalProperties: true },
);

/** An agent's answer to a rollout request: at once, before the work is done. */
export const InvocationReplySchema = Type.Object(
  {
    status: Type.Literal('processing'),
    s3_bucket: Type.Optional(Type.String()),
    result_key: Type.Optional(Type.String()),
  },
  { additionalProperties: true },
);

/**
 * The stored result of a rollout: what the handler returned, plus reserved fields. `rewards` is a number, or a list
 * with one number a turn whose last one trainers read. Every further field belongs to the agent.
 */
export const ResultDocumentSchema = Type.Object(
  {
    status_code: Type.Optional(Type.Number({ description: '200 is success; absent counts as 200' })),
    stop_reason: Type.Optional(Type.Unknown()),
    input_id: Type.Optional(Type.Unknown()),
    s3_bucket: Type.Optional(Type.String()),
    result_key: Type.Optional(Type.String()),
    payload: Type.Optional(Type.Unknown()),
    rewards: Type.Optional(Type.Unknown()),
  },
  { additionalProperties: true },
);

/** The document of a handler that failed: status_code is not 200, `stop_reason` has the message. */
export const ErrorDocumentSchema = Type.Object(
  {
    status_code: Type.Integer(),
    stop_reason: Type.String(),
    traceback: Type.Optional(Type.String()),
  },
  { additionalProperties: true },
);

/**
 * The answer to `GET /ping`. `time_of_last_update` is in unix seconds, an integer, and changes only when the status
 * changes: stamped anew on every ping it would keep a session alive for its maximum lifetime, as an ISO string it
 * would disable the busy state. Source: runtime HTTP protocol contract.
 */
export const PingReplySchema = Type.Object({
  status: Type.Union([Type.Literal('Healthy'), Type.Literal('HealthyBusy')]),
  time_of_last_update: Type.Optional(Type.Integer({ minimum: 0 })),
});

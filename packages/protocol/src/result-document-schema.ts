import { Type } from 'typebox';

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

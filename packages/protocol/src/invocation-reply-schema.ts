import { Type } from 'typebox';

/** What an agent answers to a rollout request: at once, before the work is done. */
export const InvocationReplySchema = Type.Object(
  {
    status: Type.Literal('processing'),
    s3_bucket: Type.Optional(Type.String()),
    result_key: Type.Optional(Type.String()),
  },
  { additionalProperties: true },
);

import { Type } from 'typebox';

/** Ids are text; Python callers also send plain integers, which their side formats into the key as they are. */
const Id = Type.Union([Type.String({ minLength: 1 }), Type.Integer()]);

/**
 * The `_rollout` object inside an invocation's payload, as it is on the wire. exp_id, input_id and s3_bucket come
 * together or not at all; every further field passes through untouched.
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
  },
  { additionalProperties: true },
);

import type { JsonObject } from '@art/protocol';
import { Type } from 'typebox';
import { TrainingRowSchema } from '../rows/training-row-schema.ts';

const Json = Type.Unsafe<JsonObject>(Type.Record(Type.String(), Type.Unknown()));
const Id = Type.String({ minLength: 1 });
const NullableText = Type.Union([Type.String(), Type.Null()]);
const Count = Type.Integer({ minimum: 0 });

export const TrajectoryCreateSchema = Type.Object({
  session_id: Id,
  sampling_defaults: Type.Optional(Json),
  max_context_tokens: Type.Optional(Type.Integer({ minimum: 1 })),
  max_turns: Type.Optional(Type.Integer({ minimum: 1 })),
  fork_threshold_tokens: Type.Optional(Count),
  rollout_id: Type.Optional(Id),
  group_id: Type.Optional(NullableText),
  metadata: Type.Optional(Json),
});

export const TrajectoryCreatedSchema = Type.Object({
  session_id: Id,
  api_key: NullableText,
  base_url: Type.String(),
});

export const TrajectoryStatusSchema = Type.Object({
  session_id: Id,
  state: Type.Union([Type.Literal('open'), Type.Literal('finishing'), Type.Literal('finished')]),
  turns: Count,
  leaves: Count,
  in_flight: Count,
  prompt_tokens: Count,
  completion_tokens: Count,
  incomplete_turns: Count,
  rollout_id: Id,
  group_id: NullableText,
  created_at: Type.Number(),
  metadata: Json,
});

export const TrajectoryFinishSchema = Type.Object({
  reward: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
  base: Type.Optional(Type.Object({ rollout_id: Type.Optional(Id), group_id: Type.Optional(NullableText) })),
  extra_metadata: Type.Optional(Json),
  wait_timeout_s: Type.Optional(Type.Number({ minimum: 0 })),
});

export const TrajectoryFinishedSchema = Type.Object({
  session_id: Id,
  records: Type.Array(TrainingRowSchema),
});

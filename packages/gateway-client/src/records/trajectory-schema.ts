import type { JsonObject } from '@art/protocol';
import { Type } from 'typebox';
import { TrainingRowSchema } from '@art/trajectories/schemas';

const Json = Type.Unsafe<JsonObject>(Type.Record(Type.String(), Type.Unknown()));
const Id = Type.String({ minLength: 1 });
const NullableText = Type.Union([Type.String(), Type.Null()]);
const Count = Type.Integer({ minimum: 0 });

export const TrajectoryCreateSchema = Type.Object({
  session_id: Id,
  sampling_defaults: Type.Optional(Json),
  max_context_tokens: Type.Optional(Type.Integer({ minimum: 1 })),
  max_turns: Type.Optional(Type.Integer({ minimum: 1 })),
  mode: Type.Optional(Type.Union([Type.Literal('exact'), Type.Literal('reference')])),
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
  api_key: Type.Optional(NullableText),
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
  max_turns: Type.Optional(Type.Union([Count, Type.Null()])),
  max_context_tokens: Type.Optional(Type.Union([Count, Type.Null()])),
  metadata: Json,
});

export const TrajectoryFinishSchema = Type.Object({
  reward: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
  base: Type.Optional(Type.Object({ rollout_id: Type.Optional(Id), group_id: Type.Optional(NullableText) })),
  extra_metadata: Type.Optional(Json),
  wait_timeout_s: Type.Optional(Type.Number({ minimum: 0 })),
  format: Type.Optional(
    Type.Union([
      Type.Literal('records'),
      Type.Literal('rows'),
      Type.Literal('slime'),
      Type.Literal('verl'),
      Type.Literal('rllm'),
      Type.Literal('trl'),
      Type.Literal('prime'),
      Type.Literal('tinker'),
      Type.Literal('traces'),
    ]),
  ),
  env_name: Type.Optional(Type.String()),
});

const TrajectorySummarySchema = Type.Object({
  turns: Count,
  roots: Count,
  leaves: Count,
  sampled_tokens: Count,
  trained_tokens: Count,
  masked_turns: Type.Array(
    Type.Object({ trace_id: Type.String(), reason: Type.String(), problems: Type.Array(Type.String()) }),
  ),
  dropped_rows: Count,
  unfinished_calls: Count,
});

export const TrajectoryFinishedSchema = Type.Object({
  session_id: Id,
  records: Type.Array(TrainingRowSchema),
  summary: Type.Optional(TrajectorySummarySchema),
});

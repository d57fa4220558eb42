import { Type } from 'typebox';

const Version = Type.Object({ version: Type.String(), start: Type.Integer(), end: Type.Integer() });
const Index = Type.Integer({ minimum: 0 });

/** `TurnSpan` as JSON. */
export const TurnSpanSchema = Type.Object({
  trace_id: Type.String({ minLength: 1 }),
  start: Index,
  end: Index,
  temperature: Type.Optional(Type.Number()),
  top_p: Type.Optional(Type.Number()),
  weight_version: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  weight_versions: Type.Optional(Type.Array(Version)),
});

/** `TrainingRow` as JSON. What goes beyond types, `checkTrainingRow` checks. */
export const TrainingRowSchema = Type.Object({
  schema: Type.Literal('art.training-row.v1'),
  row_id: Type.String({ minLength: 1 }),
  session_id: Type.String({ minLength: 1 }),
  rollout_id: Type.String({ minLength: 1 }),
  group_id: Type.Union([Type.String(), Type.Null()]),
  row_index: Index,
  row_count: Type.Integer({ minimum: 1 }),
  is_last: Type.Boolean(),
  token_ids: Type.Array(Index),
  prompt_length: Index,
  loss_mask: Type.Array(Type.Integer({ minimum: 0, maximum: 1 })),
  logprobs: Type.Array(Type.Number({ maximum: 0 })),
  advantages: Type.Optional(Type.Array(Type.Number())),
  reward: Type.Union([Type.Number(), Type.Null()]),
  status: Type.Union([
    Type.Literal('completed'),
    Type.Literal('truncated'),
    Type.Literal('aborted'),
    Type.Literal('failed'),
  ]),
  finish_reason: Type.Union([Type.String(), Type.Null()]),
  num_turns: Index,
  turn_spans: Type.Array(TurnSpanSchema),
  routed_experts: Type.Optional(
    Type.Object({
      data: Type.String(),
      encoding: Type.String(),
      shape: Type.Optional(Type.Array(Type.Integer())),
    }),
  ),
  model: Type.String(),
  created_at: Type.Number(),
  metadata: Type.Record(Type.String(), Type.Unknown()),
});

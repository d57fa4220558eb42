import { ArtError, describeValue, isJsonObject, type JsonObject } from '@art/ground';

/**
 * A scenario of AgentCore Evaluations' data sets in the form of a task; anything else as it is. Its id is `scenario_id`; an input that is a
 * text is sent as `prompt`. `expected` is the expected response, or `{expected_response?, assertions?, expected_trajectory?}` where
 * there is more.
 * https://docs.aws.amazon.com/bedrock-agentcore/latest/devguide/dataset-evaluations.html
 * @throws ArtError `ART_INVALID_PAYLOAD` for a scenario of several turns, or with a simulated user
 */
export function ofScenario(value: unknown, place: string): unknown {
  if (!isJsonObject(value) || typeof value['scenario_id'] !== 'string') return value;
  const { scenario_id: id, turns, assertions, expected_trajectory: trajectory } = value;
  if (isJsonObject(value['actor_profile']))
    refuse('an input for each turn', 'a simulated user (AGENTCORE_EVALUATION_SIMULATED_V1)', place);
  if (!Array.isArray(turns)) return value;
  if (turns.length !== 1) refuse('one turn', `${turns.length} turns`, place);
  const turn: unknown = turns[0];
  const input = isJsonObject(turn) ? turn['input'] : undefined;
  if (typeof input !== 'string' && !isJsonObject(input))
    refuse('an `input` that is a text or an object', describeValue(input), place);
  const response = (turn as JsonObject)['expected_response'] ?? undefined;
  const more = {
    ...(Array.isArray(assertions) && { assertions }),
    ...(Array.isArray(trajectory) && { expected_trajectory: trajectory }),
  };
  const expected =
    Object.keys(more).length === 0
      ? response
      : { ...(response !== undefined && { expected_response: response }), ...more };
  return {
    id,
    payload: typeof input === 'string' ? { prompt: input } : input,
    ...(expected !== undefined && { expected }),
  };
}

function refuse(expected: string, got: string, place: string): never {
  throw new ArtError({
    code: 'ART_INVALID_PAYLOAD',
    message: `Expected a scenario with ${expected}, got one with ${got} (${place}). An evaluation calls an agent once for a task.`,
  });
}

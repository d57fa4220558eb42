/**
 * Every name of a span, an event and an attribute that the toolkit writes; nothing else spells one. The GenAI conventions are
 * experimental and have no stable constants, so a new name of theirs is a change of this file.
 * Source: https://github.com/open-telemetry/semantic-conventions-genai
 */
export const spanNames = {
  /** One rollout, from its request to the stop of its session: the root of its trace. */
  rollout: 'art.rollout',
  /** In the client the call of the agent, in the agent the handler; the agent's name stands behind it where it is known. */
  invokeAgent: 'invoke_agent',
  /** One call of a model through the gateway; the model stands behind it. */
  chat: 'chat',
  /** The same on the completions route. */
  textCompletion: 'text_completion',
  reward: 'art.reward',
} as const;

/** @see spanNames */
export const eventNames = {
  evaluationResult: 'gen_ai.evaluation.result',
  /** Prefix for events of a rollout, such as `art.accepted`: the type of a `RolloutEvent` follows it. */
  rolloutPrefix: 'art.',
} as const;

/** @see spanNames */
export const attributeNames = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  agentName: 'gen_ai.agent.name',
  conversationId: 'gen_ai.conversation.id',
  requestModel: 'gen_ai.request.model',
  requestStream: 'gen_ai.request.stream',
  requestMaxTokens: 'gen_ai.request.max_tokens',
  requestTemperature: 'gen_ai.request.temperature',
  requestTopP: 'gen_ai.request.top_p',
  requestChoices: 'gen_ai.request.choice.count',
  responseModel: 'gen_ai.response.model',
  finishReasons: 'gen_ai.response.finish_reasons',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  evaluationName: 'gen_ai.evaluation.name',
  evaluationScore: 'gen_ai.evaluation.score.value',
  sessionId: 'session.id',
  serverAddress: 'server.address',
  serverPort: 'server.port',
  errorType: 'error.type',
  /** AWS's id of the request, for support cases. */
  awsRequestId: 'aws.request_id',
  rolloutId: 'art.rollout.id',
  groupId: 'art.group.id',
  /** Which attempt at its item it is, from 0. */
  attempt: 'art.attempt',
  outcome: 'art.outcome',
  reward: 'art.reward',
  /** The agent's label of the call, where a rollout has several agents. */
  agentLabel: 'art.agent_label',
  /** How true the capture of a call is: a `CaptureStatus`. */
  capture: 'art.capture',
  weightVersion: 'art.weight_version',
  /** How long engines worked for a call, in milliseconds. */
  engineMs: 'art.engine_ms',
} as const;

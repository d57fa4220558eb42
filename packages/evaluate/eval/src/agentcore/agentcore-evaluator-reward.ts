import { ArtError, describeValue, isJsonObject, refuseOption, stringifyJson } from '@art/ground';
import { toAgentSpans } from '@art/trajectories';
import type { JudgeContext, JudgedSample, Judgement } from '../run/judge.ts';
import { plainMean } from '../statistics/clustered-mean.ts';

/** The client of AWS's SDK, or what has its method: `new BedrockAgentCore({ region })` of `@aws-sdk/client-bedrock-agentcore`. */
export interface EvaluatorClient {
  evaluate: (request: EvaluateRequest, options: { abortSignal?: AbortSignal }) => Promise<EvaluateAnswer>;
}

/** A value of JSON, as AWS's SDK types it. */
type Document = null | boolean | number | string | Document[] | { [member: string]: Document };

/** The body of `Evaluate`. https://docs.aws.amazon.com/bedrock-agentcore/latest/APIReference/API_Evaluate.html */
export interface EvaluateRequest {
  evaluatorId: string;
  evaluationInput: { sessionSpans: Document[] };
  evaluationReferenceInputs?: EvaluatorReference[];
}

interface EvaluatorReference {
  context: { spanContext: { sessionId: string; traceId?: string } };
  expectedResponse?: { text: string };
  assertions?: { text: string }[];
  expectedTrajectory?: { toolNames: string[] };
}

/** The members of the answer that are read. */
export interface EvaluateAnswer {
  evaluationResults?:
    | {
        value?: number | undefined;
        label?: string | undefined;
        explanation?: string | undefined;
        evaluationDimensionName?: string | undefined;
        errorCode?: string | undefined;
        errorMessage?: string | undefined;
      }[]
    | undefined;
}

// https://docs.aws.amazon.com/bedrock-agentcore/latest/APIReference/API_Evaluate.html
const evaluatorId = /^(?:Builtin\.[\w.-]+|ThirdParty\.[\w-]+\.[\w-]+|[a-zA-Z][\w-]{0,99}-[a-zA-Z0-9]{10})$/;
const mostSpans = 20_000;

/**
 * An evaluator of AgentCore Evaluations judges what the gateway captured of a sample: `new AgentCoreEvaluatorReward('Builtin.Correctness',
 * { client })`. The reward is the value of its result, and the mean of several. `expected` of the task is the expected response; of an
 * object, `expected_response`, `assertions` and `expected_trajectory`, as in AWS's data sets. A turn of the conversation is a trace, and
 * the response is expected of the last one. Dimensions become metrics. AWS charges for each call.
 */
export class AgentCoreEvaluatorReward {
  readonly #evaluator: string;
  readonly #client: EvaluatorClient;

  /** @throws ArtError `ART_INVALID_OPTION` */
  constructor(evaluator: string, { client }: { client: EvaluatorClient }) {
    if (typeof evaluator !== 'string' || !evaluatorId.test(evaluator))
      refuseOption('evaluator', "an evaluator's id, such as 'Builtin.Correctness'", evaluator);
    if (typeof client?.evaluate !== 'function')
      refuseOption('client', 'a client of @aws-sdk/client-bedrock-agentcore', client);
    this.#evaluator = evaluator;
    this.#client = client;
  }

  /**
   * @throws ArtError `ART_EVALUATOR_FAILED` where nothing was captured, for what the evaluator cannot judge, and for a result without a value;
   * whatever the client throws
   */
  async compute(sample: JudgedSample, { signal, remark }: JudgeContext = {}): Promise<Judgement> {
    const { evaluationResults: results = [] } = await this.#client.evaluate(
      requestOf(sample, this.#evaluator),
      signal === undefined ? {} : { abortSignal: signal },
    );
    const values = results.map((result) => {
      const { value, label, errorCode, errorMessage } = result;
      if (errorCode !== undefined) fail('a value', `${errorCode}: ${errorMessage}`);
      if (typeof value !== 'number' || !Number.isFinite(value))
        fail('a value', label === undefined ? describeValue(value) : `the label ${label} alone`);
      return { name: result.evaluationDimensionName, value };
    });
    if (values.length === 0) fail('a result', 'none: the spans may have nothing that it judges');
    const explained = results.flatMap(({ explanation }) => explanation ?? []);
    if (explained.length > 0) remark?.(explained.join('\n'));
    const named = Map.groupBy(
      values.filter(({ name }) => name !== undefined),
      ({ name }) => name!,
    );
    const reward = plainMean(values.map(({ value }) => value));
    if (named.size === 0) return reward;
    return {
      reward,
      metrics: Object.fromEntries(
        Array.from(named, ([name, of]) => [name, plainMean(of.map(({ value }) => value))]),
      ),
    };
  }
}

function requestOf({ task, sample, transcript }: JudgedSample, evaluator: string): EvaluateRequest {
  const id = `${task.id}#${sample}`;
  const { sessionId } = transcript;
  if (transcript.calls.length === 0)
    fail('calls that the gateway captured', 'none: run with --base-url or --gateway');
  const spans = toAgentSpans({ id, sessionId, conversation: transcript });
  if (typeof spans === 'string') fail('messages of texts and tools', spans);
  if (spans.length > mostSpans) fail(`at most ${mostSpans} spans`, `${spans.length}`);
  // What is expected is the last answer; a trace is a turn.
  const { traceId } = spans.at(-1) as { traceId: string };
  const references = referencesOf(task.expected, sessionId ?? id, traceId);
  return {
    evaluatorId: evaluator,
    evaluationInput: { sessionSpans: spans as Document[] },
    ...(references.length > 0 && { evaluationReferenceInputs: references }),
  };
}

function referencesOf(expected: unknown, sessionId: string, traceId: string): EvaluatorReference[] {
  const given = isJsonObject(expected) ? expected : { expected_response: expected };
  const { expected_response: response, assertions, expected_trajectory: toolNames } = given;
  const references: EvaluatorReference[] = [];
  if (areTexts(assertions) || areTexts(toolNames))
    references.push({
      context: { spanContext: { sessionId } },
      ...(areTexts(assertions) && { assertions: assertions.map((text) => ({ text })) }),
      ...(areTexts(toolNames) && { expectedTrajectory: { toolNames } }),
    });
  if (response !== undefined && response !== null && response !== '')
    references.push({
      context: { spanContext: { sessionId, traceId } },
      expectedResponse: { text: typeof response === 'string' ? response : stringifyJson(response) },
    });
  return references;
}

function areTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((text) => typeof text === 'string');
}

function fail(expected: string, got: string): never {
  throw new ArtError({
    code: 'ART_EVALUATOR_FAILED',
    message: `Expected ${expected} of AgentCore's evaluator, got ${got}. What cannot be judged is no 0.`,
  });
}

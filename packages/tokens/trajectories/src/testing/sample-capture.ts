import type { Capture } from '../captures/capture.ts';

/** A capture of no particular interest, with what the caller wants to be different. */
export function sampleCapture(changes: Partial<Capture> & Pick<Capture, 'captureId' | 'sessionId'>): Capture {
  return {
    choiceIndex: 0,
    choiceCount: 1,
    wire: 'chat',
    engine: 'vllm',
    worker: 'http://127.0.0.1:8000',
    model: 'a-model',
    timestampMs: 1_700_000_000_000,
    latencyMs: 12.5,
    messages: ['{"role":"user","content":"Hi"}'],
    tools: undefined,
    responseMessage: '{"role":"assistant","content":"Hello"}',
    promptTokenIds: Int32Array.of(1, 2),
    completionTokenIds: Int32Array.of(3, 4),
    logprobs: Float64Array.of(-0.5, -0.25),
    finishReason: 'stop',
    weightVersion: undefined,
    weightVersions: [],
    routedExperts: undefined,
    routingMatrices: undefined,
    usage: { prompt: 2, completion: 2 },
    temperature: undefined,
    topP: undefined,
    status: 'complete',
    problems: [],
    metadata: {},
    rawRequest: undefined,
    rawResponse: undefined,
    ...changes,
  };
}

/** A capture that uses everything a capture can have. */
export function fullCapture(changes: Pick<Capture, 'captureId' | 'sessionId'>): Capture {
  return sampleCapture({
    choiceIndex: 1,
    choiceCount: 2,
    wire: 'messages',
    engine: 'sglang',
    tools: '[{"type":"function","function":{"name":"add","x":1.0,"y":1152921504606846976}}]',
    messages: ['{"role":"system","content":"Ré\\u0000 𝄞 日本"}', ' {"role":"user", "content":1.0}'],
    responseMessage: '{"role":"assistant","content":null,"tool_calls":[]}',
    promptTokenIds: Int32Array.of(0, 65_535, 65_536, 151_643, 16_777_216, 2_147_483_647, -1),
    completionTokenIds: Int32Array.of(7),
    logprobs: Float64Array.of(-0.1),
    finishReason: 'tool_calls',
    weightVersion: 41,
    weightVersions: [{ version: 'step-41', start: 0, end: 1 }],
    weightVersionRange: { oldest: 40, newest: 41 },
    routedExperts: { data: 'AAEC', encoding: 'int32_base64', shape: [1, 2, 3] },
    routingMatrices: ['AA==', ''],
    usage: { prompt: 7, completion: undefined },
    temperature: 0.7,
    topP: 0.95,
    samplingParams: '{"temperature":0.7,"top_p":0.95,"seed":1152921504606846976}',
    overriddenParams: '{"temperature":0}',
    constraints: ['tool_choice'],
    status: 'incomplete',
    problems: ['usage.completion_tokens is missing'],
    metadata: { step: 3, big: 1_152_921_504_606_846_976n, deep: { list: [1.5, null, 'é'] } },
    rawRequest: '{"model":"m","temperature":1.0}',
    rawResponse: '{"choices":[]}',
    ...changes,
  });
}

/** `turns` of a conversation in which each prompt is all that came before and some new tokens and a new message. */
export function conversation(sessionId: string, turns: number): Capture[] {
  const captures: Capture[] = [];
  let prompt = [9_000, 9_001];
  const messages = ['{"role":"system","content":"You add numbers."}'];
  for (let turn = 0; turn < turns; turn += 1) {
    messages.push(`{"role":"user","content":"turn ${turn}"}`);
    const completion = [turn * 10, turn * 10 + 1, 151_645];
    const responseMessage = `{"role":"assistant","content":"answer ${turn}"}`;
    captures.push(
      sampleCapture({
        captureId: `${sessionId}-${turn}`,
        sessionId,
        messages: [...messages],
        responseMessage,
        promptTokenIds: Int32Array.from(prompt),
        completionTokenIds: Int32Array.from(completion),
        logprobs: Float64Array.from(completion, (_, index) => -0.1 * (index + 1)),
      }),
    );
    messages.push(responseMessage);
    prompt = [...prompt, ...completion, 198 + turn, 100_000 + turn];
  }
  return captures;
}

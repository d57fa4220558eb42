import type { Capture } from '../captures/capture.ts';

/** A complete capture of an agent's call; logprobs are -id/10. */
export function aCapture(
  init: Partial<Omit<Capture, 'promptTokenIds' | 'completionTokenIds' | 'messages'>> & {
    prompt: readonly number[];
    output: readonly number[];
    messages?: readonly object[];
    response?: object;
  },
): Capture {
  const { prompt, output, messages = [{ role: 'user', content: 'q' }], response, ...rest } = init;
  return {
    captureId: 't0',
    sessionId: 's',
    choiceIndex: 0,
    choiceCount: 1,
    wire: 'chat',
    engine: 'vllm',
    worker: 'http://engine',
    model: 'm',
    timestampMs: 1_000,
    latencyMs: 1,
    messages: messages.map((message) => JSON.stringify(message)),
    tools: undefined,
    responseMessage: JSON.stringify(response ?? { role: 'assistant', content: 'a' }),
    promptTokenIds: Int32Array.from(prompt),
    completionTokenIds: Int32Array.from(output),
    logprobs: Float64Array.from(output, (id) => -id / 10),
    finishReason: 'stop',
    weightVersion: undefined,
    weightVersions: [],
    routedExperts: undefined,
    routingMatrices: undefined,
    usage: { prompt: prompt.length, completion: output.length },
    temperature: undefined,
    topP: undefined,
    status: 'complete',
    problems: [],
    metadata: {},
    rawRequest: undefined,
    rawResponse: undefined,
    ...rest,
  };
}

/** A turn of a scripted conversation. */
export interface ScriptedTurn {
  prompt: readonly number[];
  output: readonly number[];
  /** Texts of the request's messages: the user's and the assistant's by turns, beginning with the user. */
  said?: readonly string[];
  /** Text of the answer. */
  reply?: string;
}

/** Captures of scripted turns. A turn that is told no texts continues from the turn before it. */
export function scriptedCaptures(turns: readonly ScriptedTurn[]): Capture[] {
  let history: string[] = [];
  return turns.map(({ prompt, output, said, reply }, index) => {
    const texts = said ?? [...history, `q${index}`];
    const answer = reply ?? `a${index}`;
    history = [...texts, answer];
    return aCapture({
      captureId: `t${index}`,
      timestampMs: 1_000 + index,
      prompt,
      output,
      messages: texts.map((content, place) => ({ role: place % 2 === 0 ? 'user' : 'assistant', content })),
      response: { role: 'assistant', content: answer },
    });
  });
}

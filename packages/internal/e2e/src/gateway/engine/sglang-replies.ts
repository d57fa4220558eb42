import { chatDelta, chatLogprobs, chatMessage, completionLogprobs, idsOf, usageOf } from './chat-parts.ts';
import type { EngineRequest } from './engine-request.ts';
import { endOfTurn, rawText, type SampledAnswer, type SampledToken } from './sampled-answer.ts';
import { tokenChunks } from './token-chunks.ts';

const weightVersion = 'step-7';

/** SGLang's `/v1/chat/completions`: the reply's JSON, or the events of a stream. */
export function sglangChat(request: EngineRequest, answer: SampledAnswer, seed: number): unknown {
  const withLogprobs = request.logprobs === true;
  const head = { id: `${answer.callNumber}`, created: 1_760_000_000, model: request.model ?? 'mock-model' };
  const metadata = { weight_version: weightVersion };
  if (request.stream !== true) {
    return {
      ...head,
      object: 'chat.completion',
      choices: answer.choices.map((choice) => ({
        index: choice.index,
        message: {
          ...chatMessage(choice, 'reasoning_content'),
          tool_calls: choice.toolCallIds.length === 0 ? null : chatMessage(choice, 'reasoning')['tool_calls'],
        },
        logprobs: withLogprobs ? chatLogprobs(choice.tokens) : null,
        finish_reason: choice.finishReason,
        matched_stop: endOfTurn,
        ...(request.return_token_ids === true && {
          prompt_token_ids: answer.promptTokenIds,
          token_ids: idsOf(choice.tokens),
        }),
      })),
      usage: usageOf(answer),
      metadata,
    };
  }
  const chunk = (choices: object[], more = {}): unknown => ({
    ...head,
    object: 'chat.completion.chunk',
    choices,
    ...more,
  });
  const events: unknown[] = [];
  for (const choice of answer.choices) {
    const { index } = choice;
    events.push(
      chunk([{ index, delta: { role: 'assistant', content: '' }, logprobs: null, finish_reason: null }]),
    );
    for (const tokens of tokenChunks(choice, seed)) {
      const delta = chatDelta(choice, tokens, 'reasoning_content');
      const logprobs = withLogprobs ? chatLogprobs(tokens) : null;
      events.push(chunk([{ index, delta, logprobs, finish_reason: null, matched_stop: null }]));
    }
    events.push(
      chunk([
        { index, delta: {}, logprobs: null, finish_reason: choice.finishReason, matched_stop: endOfTurn },
      ]),
    );
  }
  const sglext = {
    ...(request.return_input_ids_in_sglext === true && { input_ids: answer.promptTokenIds }),
    ...(request.return_output_ids_in_sglext === true && {
      output_ids: answer.choices.map((choice) => idsOf(choice.tokens)),
    }),
  };
  if (Object.keys(sglext).length > 0) events.push(chunk([], { sglext }));
  if (request.stream_options?.include_usage === true) {
    events.push(chunk([], { usage: usageOf(answer), metadata }));
  }
  return events;
}

/** SGLang's `/v1/completions`. */
export function sglangCompletion(request: EngineRequest, answer: SampledAnswer, seed: number): unknown {
  const withLogprobs = typeof request.logprobs === 'number';
  const withIds = request.return_token_ids === true;
  const head = {
    id: `${answer.callNumber}`,
    object: 'text_completion',
    created: 1_760_000_000,
    model: request.model ?? 'mock-model',
  };
  const choiceOf = (
    index: number,
    tokens: readonly SampledToken[],
    text: string,
    finish: string | null,
    withPrompt: boolean,
  ): object => ({
    index,
    text,
    logprobs: withLogprobs ? completionLogprobs(tokens) : null,
    finish_reason: finish,
    matched_stop: finish === null ? null : endOfTurn,
    ...(withIds && withPrompt && { prompt_token_ids: answer.promptTokenIds }),
    ...(withIds && { token_ids: idsOf(tokens) }),
  });
  if (request.stream !== true) {
    return {
      ...head,
      choices: answer.choices.map((choice) =>
        choiceOf(choice.index, choice.tokens, rawText(choice), choice.finishReason, true),
      ),
      usage: usageOf(answer),
      metadata: { weight_version: weightVersion },
    };
  }
  const events: unknown[] = answer.choices.flatMap((choice) => {
    const chunks = tokenChunks(choice, seed);
    return chunks.map((tokens, at) => {
      const finish = at === chunks.length - 1 ? choice.finishReason : null;
      const text = tokens.map((token) => token.text).join('');
      return { ...head, choices: [choiceOf(choice.index, tokens, text, finish, at === 0)] };
    });
  });
  if (request.stream_options?.include_usage === true) {
    events.push({ ...head, choices: [], usage: usageOf(answer) });
  }
  return events;
}

/** SGLang's error body. */
export function sglangError(status: number, message: string): unknown {
  return { object: 'error', message, type: 'BadRequestError', param: null, code: status };
}

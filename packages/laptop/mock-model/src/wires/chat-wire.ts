import { randomUUID } from 'node:crypto';
import type { MockMessage, MockRequest } from '../mock-request.ts';
import type { SaidPart, SaidTurn } from '../said-parts.ts';
import { partTokens, bytePromptTokens, tokenLogprob, tokenText } from '../tokens/byte-tokens.ts';
import type { ModelWire } from './model-wire.ts';
import { contentText, filledList, record, records, text, MockRequestError } from './request-parts.ts';

const fingerprint = 'vllm-0.32.0-00000000';

/**
 * Chat completions in vLLM's shape: token ids with `return_token_ids`, logprobs with `logprobs`
 * (https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html). Other members of a request are accepted and ignored.
 */
export const chatWire: ModelWire = {
  name: 'chat',
  path: '/v1/chat/completions',

  read(body) {
    if (typeof body['n'] === 'number' && body['n'] !== 1)
      throw new MockRequestError('Expected "n" to be 1: the mock model gives one choice.');
    return {
      messages: filledList(body, 'messages').map(readMessage),
      tools: records(body['tools']).map((tool) => {
        const called = record(tool['function']);
        return { name: text(called['name']), parameters: called['parameters'] };
      }),
    };
  },

  whole(request, said) {
    const prompt = bytePromptTokens(request);
    const ids = said.parts.flatMap(partTokens);
    return {
      ...head(request, 'chat.completion'),
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: said.text === '' && said.toolCalls.length > 0 ? null : said.text,
            refusal: null,
            annotations: null,
            audio: null,
            function_call: null,
            ...(said.toolCalls.length > 0 && { tool_calls: said.toolCalls.map(toolCall) }),
            reasoning: said.reasoning ?? null,
          },
          logprobs: logprobs(request, ids, 0),
          finish_reason: said.finishReason,
          stop_reason: null,
          token_ids: wantsIds(request) ? ids : null,
          routed_experts: null,
        },
      ],
      service_tier: null,
      system_fingerprint: fingerprint,
      usage: {
        ...usage(prompt.length, ids.length),
        prompt_tokens_details: null,
        completion_tokens_details: null,
      },
      prompt_logprobs: null,
      prompt_token_ids: wantsIds(request) ? prompt : null,
      prompt_text: null,
      kv_transfer_params: null,
      ec_transfer_params: null,
      metrics: null,
    };
  },

  *events(request, said) {
    const base = head(request, 'chat.completion.chunk');
    const prompt = bytePromptTokens(request);
    const role = { index: 0, delta: { role: 'assistant', content: '' }, logprobs: null, finish_reason: null };
    yield event({
      ...base,
      choices: [role],
      ...(wantsIds(request) && { prompt_token_ids: prompt, prompt_text: null }),
    });
    let place = 0;
    for (const part of said.parts) {
      const ids = partTokens(part);
      const isEnd = part.kind === 'end';
      const choice = {
        index: 0,
        delta: delta(part),
        logprobs: logprobs(request, ids, place),
        finish_reason: isEnd ? said.finishReason : null,
        ...(isEnd && { stop_reason: null }),
        ...(wantsIds(request) && { token_ids: ids }),
      };
      place += ids.length;
      yield event({ ...base, choices: [choice] });
    }
    if (record(request.body['stream_options'])['include_usage'] === true)
      yield event({
        ...base,
        choices: [],
        usage: usage(prompt.length, place),
        system_fingerprint: fingerprint,
      });
    yield 'data: [DONE]\n\n';
  },

  error: (status, message) => ({
    error: {
      message,
      type: status < 500 ? 'invalid_request_error' : 'server_error',
      param: null,
      code: status === 404 ? 'model_not_found' : status === 429 ? 'rate_limit_exceeded' : null,
    },
  }),
};

function readMessage(message: Record<string, unknown>): MockMessage {
  const role = text(message['role']);
  return {
    role: role === 'developer' ? 'system' : role === 'function' ? 'tool' : (role as MockMessage['role']),
    text: contentText(message['content']),
    toolCalls: records(message['tool_calls']).map((call) => {
      const called = record(call['function']);
      return { id: text(call['id']), name: text(called['name']), arguments: text(called['arguments']) };
    }),
  };
}

function delta(part: SaidPart): object {
  switch (part.kind) {
    case 'text':
      return { content: part.text };
    case 'reasoning':
      return { reasoning: part.text };
    case 'call_name': {
      const { index, id, name } = part;
      return { content: null, tool_calls: [{ id, type: 'function', index, function: { name } }] };
    }
    case 'call_arguments':
      return {
        content: null,
        tool_calls: [{ index: part.index, function: { arguments: part.text } }],
      };
    case 'reasoning_end':
    case 'end':
      return {};
  }
}

function head({ model }: MockRequest, object: string): object {
  return { id: `chatcmpl-${randomUUID()}`, object, created: Math.floor(Date.now() / 1_000), model };
}

function toolCall({ id, name, arguments: json }: SaidTurn['toolCalls'][number]): object {
  return { id, type: 'function', function: { name, arguments: json } };
}

function wantsIds({ body }: MockRequest): boolean {
  return body['return_token_ids'] === true;
}

function logprobs({ body }: MockRequest, ids: readonly number[], from: number): object | null {
  if (body['logprobs'] !== true) return null;
  return {
    content: ids.map((id, place) => {
      const token = tokenText(id);
      return {
        token,
        logprob: tokenLogprob(id, from + place),
        bytes: [...Buffer.from(token)],
        top_logprobs: [],
      };
    }),
  };
}

function usage(prompt: number, completion: number): object {
  return {
    prompt_tokens: prompt,
    total_tokens: prompt + completion,
    completion_tokens: completion,
  };
}

function event(chunk: object): string {
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

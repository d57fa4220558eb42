import type { CompletionTokens, ModelCallRecord, SampleRecord } from '@art/trajectories';
import type { TranscriptRecord } from '@art/eval/records';
import type { JsonObject } from '@art/ground';

const questions = [
  'My flight to Lisbon was cancelled. Can I have my money back?',
  'I need to be in Oslo one day earlier. What would that cost?',
  'My suitcase did not arrive with me. The tag says 0045 821 733.',
];

/** Conversation about a customer's question: two calls of the model with a tool between them. */
export function conversationOf(record: SampleRecord, dice: () => number): TranscriptRecord {
  const question = questions[Math.floor(dice() * questions.length)]!;
  const isGood = record.score === 1;
  const answer = isGood
    ? 'Your booking QX7T1P is refundable. I have returned 412.60 EUR to the card that you paid with; it takes up to five days.'
    : 'I am afraid that this fare cannot be refunded, but I can offer you a voucher instead.';
  const messages: JsonObject[] = [
    {
      role: 'system',
      content: 'You work at the desk of an airline. Look bookings up before you promise anything.',
    },
    { role: 'user', content: question },
    {
      role: 'assistant',
      content: 'Let me look at your booking first.',
      tool_calls: [
        {
          id: 'call_1',
          type: 'function',
          function: {
            name: 'find_booking',
            arguments: '{"locator":"QX7T1P","fields":["fare","status","price"]}',
          },
        },
      ],
    },
    {
      role: 'tool',
      tool_call_id: 'call_1',
      content: JSON.stringify(
        { fare: isGood ? 'flex' : 'light', status: 'cancelled', price: '412.60 EUR' },
        undefined,
        2,
      ),
    },
    { role: 'assistant', content: answer },
  ];
  const acceptedMs = record.timings.acceptedMs ?? 0;
  const beginMs = (record.submittedAtMs ?? 0) + acceptedMs + 120;
  const workMs = Math.max(500, (record.latencyMs ?? 1_000) - acceptedMs - 300);
  const first = tokensOf('Let me look at your booking first.', dice);
  const second = tokensOf(answer, dice);
  const calls = [
    callOf(record, {
      number: 1,
      startedAtMs: beginMs,
      latencyMs: workMs * 0.35,
      prompt: [0, 1],
      answer: 2,
      tokens: first,
    }),
    callOf(record, {
      number: 2,
      startedAtMs: beginMs + workMs * 0.5,
      latencyMs: workMs * 0.45,
      prompt: [0, 1, 2, 3],
      answer: 4,
      tokens: second,
    }),
  ];
  const response = [...first.ids, ...Array.from({ length: 31 }, (_, at) => 500 + at), ...second.ids];
  const lossMask = [
    ...first.ids.map(() => 1),
    ...Array.from({ length: 31 }, () => 0),
    ...second.ids.map(() => 1),
  ];
  return {
    schema: 'art.transcript.v1',
    taskId: record.taskId,
    sample: record.sample,
    sessionId: record.sessionId,
    payload: { question, customer: { locator: 'QX7T1P', language: 'en' } },
    expected: { refund: '412.60 EUR' },
    document: record.outcome === 'ok' ? { answer, rewards: record.reward, status_code: 200 } : null,
    messages,
    calls,
    rows: [
      {
        schema: 'art.training-row.v1',
        row_id: `${record.id}-0`,
        session_id: record.sessionId ?? '',
        rollout_id: record.id,
        group_id: record.taskId,
        row_index: 0,
        row_count: 1,
        is_last: true,
        token_ids: [...Array.from({ length: 64 }, (_, at) => 100 + at), ...response],
        prompt_length: 64,
        loss_mask: lossMask,
        logprobs: [...first.logprobs!, ...Array.from({ length: 31 }, () => 0), ...second.logprobs!],
        advantages: lossMask.map((bit) => bit * ((record.reward ?? 0) - 0.6)),
        reward: record.reward,
        status: 'completed',
        finish_reason: 'stop',
        num_turns: 2,
        turn_spans: [],
        model: 'qwen3-8b',
        created_at: beginMs,
        metadata: {},
      },
    ],
    log: 'listening on 8080\nPOST /invocations 200\nfind_booking QX7T1P 31 ms\n',
  };
}

function tokensOf(text: string, dice: () => number): CompletionTokens {
  const texts = text.match(/\s?[^\s]{1,6}|\s+/g)!;
  return {
    ids: texts.map((_, at) => 1_000 + Math.floor(dice() * 90_000) + at),
    logprobs: texts.map(() => -(dice() ** 5) * 5 - 0.001),
    texts,
    lossMask: texts.map(() => 1),
  };
}

interface CallChoices extends Pick<ModelCallRecord, 'startedAtMs' | 'latencyMs' | 'prompt' | 'answer'> {
  number: number;
  tokens: CompletionTokens;
}

function callOf(record: SampleRecord, { number, tokens, ...call }: CallChoices): ModelCallRecord {
  return {
    captureId: `${record.id}-${number}`,
    model: 'qwen3-8b',
    wire: 'chat',
    finishReason: number === 1 ? 'tool_calls' : 'stop',
    tools: [],
    promptTokens: 60 + number * 40,
    completionTokens: tokens.ids.length,
    tokens,
    capture: 'complete',
    problems: [],
    weightVersion: null,
    ...call,
  };
}

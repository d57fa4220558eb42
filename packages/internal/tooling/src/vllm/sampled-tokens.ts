import type { Exchange, SampledTokens } from './vllm-recording.ts';

interface Choice {
  index: number;
  prompt_token_ids?: number[] | null;
  token_ids?: number[] | null;
  logprobs?: { content?: { logprob: number }[]; token_logprobs?: number[] } | null;
}

interface Answer {
  prompt_token_ids?: number[];
  choices: Choice[];
}

const samplingPaths = new Set(['/v1/chat/completions', '/v1/completions']);

/** The tokens of each choice, answer by answer. Nothing of the gateway reads them here. */
export function sampledTokens(exchanges: readonly Exchange[]): SampledTokens[] {
  return exchanges.filter(({ path, status }) => status === 200 && samplingPaths.has(path)).flatMap(tokensOf);
}

function tokensOf({ request, pieces }: Exchange): SampledTokens[] {
  const parts = answerParts(pieces.join(''));
  const choices = parts.flatMap((part) => part.choices);
  // A call by token ids is not told them again.
  const { prompt } = request as { prompt?: unknown };
  const given = Array.isArray(prompt) ? (prompt as number[]) : undefined;
  const count = 1 + Math.max(...choices.map(({ index }) => index));
  return Array.from({ length: count }, (_, index) => {
    const own = choices.filter((choice) => choice.index === index);
    const told =
      parts.find((part) => part.prompt_token_ids)?.prompt_token_ids ??
      own.find((choice) => choice.prompt_token_ids)?.prompt_token_ids;
    return {
      promptTokenIds: told ?? given ?? [],
      tokenIds: own.flatMap((choice) => choice.token_ids ?? []),
      logprobs: own.flatMap(({ logprobs }) => logprobs?.token_logprobs ?? contentOf(logprobs)),
    };
  });
}

function contentOf(logprobs: Choice['logprobs']): number[] {
  return (logprobs?.content ?? []).map(({ logprob }) => logprob);
}

/** One for a whole reply, one for each event of a stream. */
function answerParts(text: string): Answer[] {
  if (!text.startsWith('data: ')) return [JSON.parse(text) as Answer];
  return text
    .split('\n\n')
    .filter((event) => event !== '' && event !== 'data: [DONE]')
    .map((event) => JSON.parse(event.slice('data: '.length)) as Answer);
}

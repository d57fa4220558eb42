import type { IsCut } from './spelled-json.fixture.ts';

/** Fields that an agent asked for itself. */
export interface Asked {
  logprobs: boolean;
  tokenIds: boolean;
  usage: boolean;
}

const topNames = ['prompt_logprobs', 'kv_transfer_params', 'weight_version', 'weight_versions'];
const choiceNames = ['prompt_logprobs', 'routed_experts', 'meta_info', 'stop_reason', 'routing_matrices'];
const sglextNames = ['input_ids', 'output_ids', 'routed_experts'];

/** The cuts in an engine's object for an agent. */
export function cutFor(asked: Asked): IsCut {
  return (path, names) => {
    const [first, second, third] = path;
    if (second === undefined) {
      if (first === 'prompt_token_ids') return !asked.tokenIds;
      if (first === 'sglext') {
        const cut = names?.filter((name) => sglextNames.includes(name)) ?? [];
        return cut.length > 0 && cut.length === names?.length;
      }
      return topNames.includes(first as string);
    }
    if (third !== undefined) return false;
    if (first === 'sglext') return sglextNames.includes(second);
    if (first !== 'choices') return false;
    if (second === 'logprobs') return !asked.logprobs;
    if (second === 'token_ids' || second === 'prompt_token_ids') return !asked.tokenIds;
    return choiceNames.includes(second);
  };
}

interface Chunk {
  choices?: {
    delta?: Record<string, unknown>;
    text?: string;
    token_ids?: unknown[] | null;
    logprobs?: object | null;
    finish_reason: string | null;
  }[];
  usage?: object | null;
  sglext?: Record<string, unknown>;
}

/** True if an event holds nothing for an agent: only counts or ids that the gateway asked for. */
export function isForGateway(event: string, asked: Asked): boolean {
  const { choices, usage, sglext } = JSON.parse(event) as Chunk;
  const hasUsage = usage !== null && usage !== undefined;
  if (choices === undefined || (hasUsage && asked.usage)) return false;
  const others = Object.entries(sglext ?? {}).filter(
    ([name, value]) => !sglextNames.includes(name) && value !== null,
  );
  if (others.length > 0) return false;
  if (choices.length === 0) return hasUsage || sglext !== undefined;
  return choices.every(
    ({ delta, token_ids: ids, logprobs, finish_reason: reason }) =>
      !asked.tokenIds &&
      !(asked.logprobs && logprobs !== null && logprobs !== undefined) &&
      (ids?.length ?? 0) > 0 &&
      reason === null &&
      delta !== undefined &&
      Object.values(delta).every((value) => value === null),
  );
}

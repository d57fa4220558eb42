import { aNumber, aText, oneOf, optional, type OptionRules, readOptions, refuseOption } from '@art/ground';
import { aTrainChoice, type TrainChoice } from '../tree/train-choice.ts';

/** Formats that `exportRollouts` writes. */
export const exportFormats = [
  'openai',
  'trl',
  'prompt-completion',
  'dpo',
  'atif',
  'sharegpt',
  'bedrock',
  'spans',
] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** Options of `exportRollouts`. */
export interface ExportOptions {
  /**
   * - `openai`: `{messages, tools?}`, as OpenAI and most hosted services fine-tune on; `weight: 0` where an answer must not train.
   * - `trl`: `{messages, tools?}` of TRL's SFT; `prompt-completion`: `{prompt, completion, tools?}`, a line for each call of the model.
   * - `dpo`: `{prompt, chosen, rejected, tools?}`: the best answer to an input against the worst.
   * - `atif`: Agent Trajectory Interchange Format 1.7, a line for each rollout.
   * - `sharegpt`: `{conversations, system?, tools?}` as LLaMA-Factory reads it.
   * - `bedrock`: `bedrock-conversation-2024`, for fine-tuning on Bedrock; texts only.
   * - `spans`: spans of OpenTelemetry with texts, as CloudWatch keeps them and AgentCore Evaluations reads them, a line for each span.
   */
  format: ExportFormat;
  /**
   * Least reward of a rollout that is exported. All formats to fine-tune on need one: what is good enough to imitate is not ours to say.
   * For `dpo`, `atif` and `spans` @default no bound
   */
  minReward?: number | undefined;
  /** `dpo`: how much better the chosen one has to be. @default more than 0 */
  minMargin?: number | undefined;
  /**
   * How arguments of tool calls are written. Most chat templates want an object; Qwen3's takes both, DeepSeek V3's only text.
   * @default 'object'; 'text' for `openai`, which takes nothing else
   */
  arguments?: 'object' | 'text' | undefined;
  /**
   * Which agents are learnt from, where rollouts have several: the answers of others are context, and a branch without a chosen one is no
   * row. `dpo` compares the chosen branches; `atif` and `spans`, which are no training data, have all. @default all
   */
  trains?: TrainChoice | undefined;
  /** `atif`, `spans`: what the agent is called. @default 'agent' */
  agentName?: string | undefined;
  /** `atif` @default 'unknown' */
  agentVersion?: string | undefined;
}

const rules = {
  format: oneOf(...exportFormats),
  minReward: optional(aNumber()),
  minMargin: optional(aNumber({ above: 0 })),
  arguments: optional(oneOf('object', 'text')),
  trains: optional(aTrainChoice),
  agentName: optional(aText, 'agent'),
  agentVersion: optional(aText, 'unknown'),
} satisfies OptionRules<ExportOptions>;

/** True if a format takes every rollout, as it is to look at and not to learn from. */
export function isToLookAt(format: ExportFormat): boolean {
  return format === 'atif' || format === 'spans';
}

export type ResolvedExportOptions = ReturnType<typeof resolveExportOptions>;

/** @throws ArtError `ART_INVALID_OPTION` */
export function resolveExportOptions(options: ExportOptions) {
  const read = readOptions('exportRollouts', options, rules);
  const { format, minReward, minMargin } = read;
  if (minReward === undefined && format !== 'dpo' && !isToLookAt(format)) {
    refuseOption('minReward', `given for format '${format}'`, minReward, {
      advice:
        'Which rollouts are good enough to imitate depends on your reward: with rewards of 0 and 1 say 1.',
    });
  }
  if (minMargin !== undefined && format !== 'dpo') {
    refuseOption('minMargin', `left out for format '${format}'`, minMargin, {
      advice: "Only 'dpo' compares two rollouts.",
    });
  }
  if (isToLookAt(format) && read.trains !== undefined)
    refuseOption('trains', `left out for format '${format}'`, read.trains);
  if (format === 'openai' && read.arguments === 'object') {
    refuseOption('arguments', "'text' for format 'openai'", read.arguments);
  }
  const style: 'object' | 'text' = read.arguments ?? (format === 'openai' ? 'text' : 'object');
  return { ...read, arguments: style };
}

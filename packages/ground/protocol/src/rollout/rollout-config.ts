import type { Static } from 'typebox';
import { ArtError, describeValue, isJsonObject } from '@art/ground';
import type { RolloutConfigSchema } from '../schemas.ts';

export type RolloutConfigWire = Static<typeof RolloutConfigSchema> & Record<string, unknown>;

/** Where a rollout's result goes. */
export interface RolloutTarget {
  expId: string;
  inputId: string;
  s3Bucket: string;
}

/** The rollout config as handlers see it. */
export interface RolloutConfig {
  /** Undefined when the caller asked for no storage; then only the log knows what became of the rollout. */
  target: RolloutTarget | undefined;
  /** OpenAI-compatible endpoint that the agent must use for this rollout. */
  baseUrl: string | undefined;
  modelId: string | undefined;
  /** Key that the agent has to send to that endpoint, where the trainer's gateway asks for one. */
  apiKey: string | undefined;
  /** The `sampling_params` object, `{}` when absent. Further fields are in `raw`. */
  samplingParams: Record<string, unknown>;
  /** Texts by which the prompts of the agent are replaced for this rollout, by their names. Absent where none was sent. */
  prompts?: Record<string, string> | undefined;
  /** `_rollout`, or `_config`, exactly as it came. */
  raw: RolloutConfigWire;
}

/**
 * The field of `_rollout` and `_config` that says where the agent's spans belong: `{ traceparent, tracestate? }` as in
 * https://www.w3.org/TR/trace-context/. In the payload, for AgentCore passes a header `traceparent` on only where the runtime's
 * header policy names it.
 */
export const traceContextField = 'trace_context';

const targetFields = ['exp_id', 'input_id', 's3_bucket'] as const;

/**
 * Reads the `_rollout` member of a payload. Undefined when there is none.
 * @throws ArtError `ART_INVALID_ROLLOUT_CONFIG`
 */
export function parseRolloutConfig(payload: Record<string, unknown>): RolloutConfig | undefined {
  const raw = configOf(payload, '_rollout');
  return raw && { target: parseTarget(raw), ...modelOf(raw), raw };
}

/**
 * Reads the `_config` member of a payload, by which trainers say over the Runtime Invocation Protocol what the agent has to
 * use. Undefined when there is none. It never asks for storage.
 * @throws ArtError `ART_INVALID_ROLLOUT_CONFIG`
 */
export function parseRipConfig(payload: Record<string, unknown>): RolloutConfig | undefined {
  const raw = configOf(payload, '_config');
  return raw && { target: undefined, ...modelOf(raw), raw };
}

function configOf(payload: Record<string, unknown>, name: string): RolloutConfigWire | undefined {
  const raw = Object.hasOwn(payload, name) ? payload[name] : undefined;
  if (raw === undefined || raw === null) return undefined;
  if (!isJsonObject(raw)) refuse(`Expected ${name} to be an object, got ${describeValue(raw)}.`);
  return raw;
}

function modelOf(
  raw: RolloutConfigWire,
): Pick<RolloutConfig, 'baseUrl' | 'modelId' | 'apiKey' | 'samplingParams' | 'prompts'> {
  const prompts = promptTexts(raw);
  return {
    baseUrl: optionalText(raw, 'base_url'),
    modelId: optionalText(raw, 'model_id'),
    apiKey: optionalText(raw, 'api_key'),
    samplingParams: samplingParams(raw),
    ...(prompts && { prompts }),
  };
}

function parseTarget(raw: Record<string, unknown>): RolloutTarget | undefined {
  if (!targetFields.some((field) => field in raw)) return undefined;
  for (const field of targetFields) {
    // The wording is that of the Python app, which callers may have learned to look for.
    if (!(field in raw)) refuse(`Missing required rollout config field: '${field}'`);
  }
  return { expId: id(raw, 'exp_id'), inputId: id(raw, 'input_id'), s3Bucket: text(raw, 's3_bucket') };
}

function id(raw: Record<string, unknown>, field: string): string {
  const value = raw[field];
  return typeof value === 'bigint' || Number.isInteger(value) ? String(value) : text(raw, field);
}

function text(raw: Record<string, unknown>, field: string): string {
  const value = raw[field];
  if (typeof value !== 'string' || value === '') {
    refuse(`Expected rollout config field '${field}' to be a non-empty string, got ${describeValue(value)}.`);
  }
  return value;
}

function optionalText(raw: Record<string, unknown>, field: string): string | undefined {
  const value = raw[field];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string')
    refuse(`Expected rollout config field '${field}' to be a string, got ${describeValue(value)}.`);
  return value;
}

function samplingParams(raw: Record<string, unknown>): Record<string, unknown> {
  const value = raw['sampling_params'];
  if (value === undefined || value === null) return {};
  if (!isJsonObject(value))
    refuse(`Expected rollout config field 'sampling_params' to be an object, got ${describeValue(value)}.`);
  return value;
}

function promptTexts(raw: Record<string, unknown>): Record<string, string> | undefined {
  const value = raw['prompts'];
  if (value === undefined || value === null) return undefined;
  if (!isJsonObject(value))
    refuse(`Expected rollout config field 'prompts' to be an object of texts, got ${describeValue(value)}.`);
  for (const [name, text] of Object.entries(value)) {
    if (typeof text !== 'string')
      refuse(`Expected rollout config field 'prompts.${name}' to be a string, got ${describeValue(text)}.`);
  }
  return value as Record<string, string>;
}

function refuse(message: string): never {
  throw new ArtError({ code: 'ART_INVALID_ROLLOUT_CONFIG', message });
}

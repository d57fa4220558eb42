import { isJsonObject, type JsonObject } from '@art/ground';
import { isSecretField } from '@art/eval';
import type { AgentOptions } from './agent-options.ts';

/** Options of the agent that a run takes again when it continues. The agent's variables are not kept, for they may hold secrets. */
export const keptAgentOptions = [
  'agent',
  'tasks',
  'columns',
  'split',
  'reward',
  'concurrency',
  'timeoutMs',
  'ceiling',
  'sampleCeiling',
  'agentRuntimeArn',
  'qualifier',
  'bucket',
  'endpoint',
  'sessions',
  'wire',
  'baseUrl',
  'modelId',
  'mockModel',
  'set',
  'envFile',
  'judgeTimeoutMs',
  'cache',
  'gateway',
  'reach',
  'warm',
  'platformVersion',
] as const satisfies readonly (keyof AgentOptions)[];

/** Options as the record of a run keeps them. */
export function notedOptions<Options extends Pick<AgentOptions, 'agent'>>(
  options: Options,
  names: readonly (keyof Options)[],
): JsonObject {
  const kept = names.flatMap((name) => {
    const value = options[name];
    // An address may have a key in it.
    const isSecret = typeof value === 'string' && /^https?:.*[?@]/.test(value);
    if (value === undefined || isSecret) return [];
    return [[name, isJsonObject(value) ? withoutSecretFields(value) : value]];
  });
  return Object.fromEntries(kept) as JsonObject;
}

/** The fields without those that may be secret, which are refused by name where they are not given again. */
function withoutSecretFields(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !isSecretField(name)));
}

/** Options of a run that continues: what is not given again is as it was. */
export function goneOnWith<Options extends Pick<AgentOptions, 'agent'>>(
  given: Options,
  noted: unknown,
): Options {
  const before = (isJsonObject(noted) ? noted : {}) as Partial<Options>;
  const again = Object.entries(given).filter(([, value]) => value !== undefined);
  return {
    ...before,
    ...(Object.fromEntries(again) as Options),
    agent: given.agent.length > 0 ? given.agent : (before.agent ?? []),
  };
}

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  aBoolean,
  aNumber,
  anObject,
  anyObject,
  aText,
  isJsonObject,
  oneOf,
  optional,
  type OptionRules,
  readOptions,
  refuseOption,
  unchecked,
} from '@art/ground';
import { readTrainingChoices, type TrainingChoices } from '@art/train';
import { readOptionJson } from '../arguments/read-option-file.ts';
import { choicesOfFlags, type ChoiceValues, usualChoices } from './choice-flags.ts';

/** Sampling that is enforced, whatever the agent asks for. */
export interface EnforcedSampling {
  /** @default as the agent asks */
  temperature?: number | undefined;
  /** @default as the agent asks */
  topP?: number | undefined;
}

/** How versions are measured on the held-out tasks. */
export interface MeasuringConfig {
  /** @default 10 */
  everySteps?: number | undefined;
  /** Samples of each task. @default 1 */
  samples?: number | undefined;
  /** @default 0: the likeliest token each time */
  temperature?: number | undefined;
  /** Most sessions at once. @default 16 */
  concurrency?: number | undefined;
  /** Ends a measurement once this is answered about the first version: `difference > 0`. @default all tasks are asked */
  until?: string | undefined;
  /** Least and greatest reward that a task can give, for `until`. @default [0, 1] */
  rewardRange?: readonly [number, number] | undefined;
}

/** The adapter, and what only SageMaker takes. */
export interface TrainingServiceConfig {
  /** @default 32 */
  loraRank?: number | undefined;
  /** SageMaker. @default twice the rank */
  loraAlpha?: number | undefined;
  /** SageMaker: accepts the licence of the model. */
  acceptEula?: boolean | undefined;
  /** SageMaker: of the session. */
  tags?: Readonly<Record<string, string>> | undefined;
  /** SageMaker: encrypts weights and states. */
  kmsKeyArn?: string | undefined;
  /** SageMaker: where the session works. */
  vpcConfig?: { SecurityGroupIds: string[]; Subnets: string[] } | undefined;
  /** SageMaker: where saved weights are listed. */
  modelPackageGroupArn?: string | undefined;
  /** SageMaker: how the losses of tokens are brought together. @default 'sum' */
  reduction?: 'sum' | 'token-mean' | undefined;
}

/** The default export of `train.config.ts`. Flags win over it. */
export interface TrainConfig extends Partial<TrainingChoices> {
  sampling?: EnforcedSampling | undefined;
  evaluation?: MeasuringConfig | undefined;
  service?: TrainingServiceConfig | undefined;
}

const samplingRules = {
  temperature: optional(aNumber({ min: 0, max: 2 })),
  topP: optional(aNumber({ min: Number.MIN_VALUE, max: 1 })),
} satisfies OptionRules<EnforcedSampling>;

const measuringRules = {
  everySteps: optional(aNumber({ min: 1, integer: true }), 10),
  samples: optional(aNumber({ min: 1, integer: true }), 1),
  until: optional(aText),
  rewardRange: unchecked<readonly [number, number] | undefined>(),
  temperature: optional(aNumber({ min: 0, max: 2 }), 0),
  concurrency: optional(aNumber({ min: 1, integer: true }), 16),
} satisfies OptionRules<MeasuringConfig>;

const serviceRules = {
  loraRank: optional(aNumber({ min: 1, max: 256, integer: true }), 32),
  loraAlpha: optional(aNumber({ min: 1, integer: true })),
  acceptEula: optional(aBoolean),
  tags: optional(anyObject<Readonly<Record<string, string>>>()),
  kmsKeyArn: optional(aText),
  vpcConfig: optional(anyObject<{ SecurityGroupIds: string[]; Subnets: string[] }>()),
  modelPackageGroupArn: optional(aText),
  reduction: optional(oneOf('sum', 'token-mean')),
} satisfies OptionRules<TrainingServiceConfig>;

const ownRules = {
  sampling: anObject(samplingRules),
  evaluation: anObject(measuringRules),
  service: anObject(serviceRules),
};

/** Everything that a run is told, with what is usual filled in. */
export interface ResolvedTraining {
  choices: ReturnType<typeof readTrainingChoices>;
  sampling: EnforcedSampling;
  evaluation: ReturnType<typeof readOwn>['evaluation'];
  service: ReturnType<typeof readOwn>['service'];
  /** The file that choices came from. */
  file: string | undefined;
}

/**
 * The choices of a run: what is usual, then the file, then flags, then `--set`.
 * @throws ArtError `ART_INVALID_OPTION`
 */
export async function resolveTraining(
  options: ChoiceValues & {
    config?: string | undefined;
    set?: readonly [string, unknown][] | undefined;
    prices?: string | undefined;
  },
  cwd: string,
): Promise<ResolvedTraining> {
  const file = configFile(options.config, cwd);
  const said: Record<string, unknown> = {};
  for (const [choice, value] of usualChoices) put(said, choice, value);
  if (file !== undefined) merge(said, await loadConfig(file, cwd));
  for (const [choice, value] of choicesOfFlags(options)) put(said, choice, value);
  if (options.prices !== undefined) said['prices'] = readPrices(options.prices, cwd);
  for (const [choice, value] of options.set ?? []) put(said, choice, value);
  const { sampling = {}, evaluation = {}, service = {}, ...choices } = said;
  complete(choices);
  return {
    choices: readTrainingChoices(choices as unknown as TrainingChoices),
    ...readOwn({ sampling, evaluation, service }),
    file,
  };
}

function readOwn(given: object) {
  return readOptions('train.config', given, ownRules);
}

/** A loss has bounds where it takes some, and a range of rewards has two ends. */
function complete(choices: Record<string, unknown>): void {
  const loss = choices['loss'];
  if (isJsonObject(loss) && loss['name'] !== 'importance_sampling')
    choices['loss'] = { clipLow: 0.8, clipHigh: 1.2, ...loss };
  const guards = choices['guards'];
  const range = isJsonObject(guards) ? guards['rewardRange'] : undefined;
  if (!isJsonObject(range)) return;
  const { 0: lowest = -Number.MAX_VALUE, 1: highest = Number.MAX_VALUE } = range;
  (guards as Record<string, unknown>)['rewardRange'] = [lowest, highest];
}

function configFile(given: string | undefined, cwd: string): string | undefined {
  if (given !== undefined) return resolve(cwd, given);
  const usual = join(cwd, 'train.config.ts');
  return existsSync(usual) ? usual : undefined;
}

async function loadConfig(file: string, cwd: string): Promise<object> {
  if (!existsSync(file)) refuseOption('--config', 'an existing file', file);
  const config = file.endsWith('.json')
    ? readOptionJson('--config', file, cwd)
    : ((await import(pathToFileURL(file).href)) as { default?: unknown }).default;
  if (!isJsonObject(config)) refuseOption('--config', 'a file whose default export is an object', config);
  return config;
}

function merge(into: Record<string, unknown>, from: object): void {
  for (const [name, value] of Object.entries(from)) {
    const known = into[name];
    if (isPlain(known) && isPlain(value)) merge(known, value);
    else if (value !== undefined) into[name] = isPlain(value) ? structuredClone(value) : value;
  }
}

/** @param choice a name with dots */
function put(into: Record<string, unknown>, choice: string, value: unknown): void {
  const [first, ...rest] = choice.split('.') as [string, ...string[]];
  if (rest.length === 0) {
    into[first] = value;
    return;
  }
  const known = into[first];
  const inner = isPlain(known) ? known : Array.isArray(known) ? Object.fromEntries(known.entries()) : {};
  into[first] = inner;
  put(inner, rest.join('.'), value);
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return isJsonObject(value);
}

function readPrices(given: string, cwd: string): unknown {
  if (!given.trimStart().startsWith('{')) return readOptionJson('--prices', given, cwd);
  try {
    return JSON.parse(given);
  } catch (cause) {
    return refuseOption('--prices', 'JSON, or a file with JSON', given, { cause });
  }
}

/** The choices as lines of a name and a value, for people. */
export function choiceLines({ choices, sampling, evaluation, service }: ResolvedTraining): string[] {
  return linesOf({ ...choices, sampling, evaluation, service }, '');
}

function linesOf(value: object, prefix: string): string[] {
  return Object.entries(value).flatMap(([name, member]): string[] => {
    if (member === undefined) return [];
    if (isPlain(member)) return linesOf(member, `${prefix}${name}.`);
    return [`${prefix}${name} = ${typeof member === 'function' ? 'a function' : JSON.stringify(member)}`];
  });
}

import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { ArtError, isLoopback, type JsonObject, readMember } from '@art/ground';
import { readCeiling } from '@art/protocol';
import type { RunRecord } from '../records/run-record.ts';
import type { EvaluateOptions } from './evaluate-options.ts';
import type { EvaluatedAgent } from './evaluated-agent.ts';
import type { Judge } from './judge.ts';

/** Inputs that change the figures of a run, by name; undefined where it was not given, or is not on record. */
export type RunInputs = Readonly<Record<string, unknown>> & { settings?: JsonObject | undefined };

const defaultTimeoutMs = 900_000;

/** The inputs that a run would be measured with. */
export function givenInputs(
  options: Pick<
    EvaluateOptions,
    | 'prompts'
    | 'timeoutMs'
    | 'passReward'
    | 'reduce'
    | 'failureReward'
    | 'prices'
    | 'sampleCeiling'
    | 'sharedBudget'
  >,
  { name, model = {}, settings }: EvaluatedAgent,
): RunInputs {
  const { prompts, timeoutMs, passReward, reduce, failureReward, prices, sampleCeiling, sharedBudget } =
    options;
  return {
    agent: name,
    'model id': model.modelId,
    'model address': model.baseUrl === undefined ? undefined : withoutSecrets(model.baseUrl),
    prompts: prompts && { ...prompts },
    timeoutMs,
    passReward,
    reduce,
    failureReward,
    prices,
    'ceiling of a sample':
      sharedBudget?.sampleCeiling ?? (sampleCeiling && readCeiling('sampleCeiling', sampleCeiling)),
    settings,
  };
}

/** The inputs that a run was measured with so far. Runs of earlier versions do not know all of it. */
export function recordedInputs(run: RunRecord): RunInputs {
  const { agent, model, options, passReward, failureReward, settings } = run;
  return {
    agent,
    'model id': model.modelId,
    'model address': model.baseUrl,
    prompts: options['prompts'] ?? null,
    timeoutMs: options['timeoutMs'] ?? defaultTimeoutMs,
    passReward,
    reduce: run.reduce ?? 'mean',
    failureReward,
    prices: run.prices ?? undefined,
    'ceiling of a sample': options['sampleCeiling'] ?? {},
    settings,
  };
}

/**
 * Makes sure that what continues is measured as it began: one mean over two ways to measure says nothing.
 * @param what continues: "run"
 * @throws ArtError `ART_INVALID_OPTION` with the names of what differs
 */
export function refuseOtherInputs(what: string, folder: string, was: RunInputs, is: RunInputs): void {
  const { settings: before, ...others } = was;
  const { settings: now, ...given } = is;
  const named = differing(others, given);
  // A setting that is left out has a value, too: that of the agent.
  if (before !== undefined && now !== undefined) {
    const none = Object.fromEntries(
      [...Object.keys(before), ...Object.keys(now)].map((name) => [name, null]),
    );
    named.push(...differing({ ...none, ...before }, { ...none, ...now }));
  }
  if (named.length === 0) return;
  throw new ArtError({
    code: 'ART_INVALID_OPTION',
    message: `Expected the ${what} in ${folder} to continue as it began, got other inputs: ${named.join('; ')}. Figures of both together would say nothing: give what it began with, or begin a new one.`,
  });
}

function differing(was: Readonly<Record<string, unknown>>, is: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(is).flatMap((name) => {
    const [before, now] = [was[name], is[name]];
    if (before === undefined || now === undefined || isDeepStrictEqual(before, now)) return [];
    // A server of this machine may come back at another port.
    if (name === 'model address' && isHere(before) && isHere(now)) return [];
    return [`${name} ${shown(before)}, now ${shown(now)}`];
  });
}

/** Name by which a judge is known again: a module's own, that of a class, or a digest of a function. Null for the agent's own rewards. */
export function nameOfJudge(judge: Judge | undefined): string | null {
  if (judge === undefined) return null;
  const name: unknown = readMember(judge, 'name');
  if (typeof judge === 'function') {
    const digest = createHash('sha256').update(judge.toString()).digest('hex').slice(0, 16);
    return `${judge.name === '' ? 'function' : judge.name} ${digest}`;
  }
  return typeof name === 'string' && name !== '' ? name : judge.constructor.name;
}

/** Settings as a record keeps them: of what seems to be secret only a digest. */
export function recordedSettings(settings: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, isSecretField(name) ? digestOf(value) : value]),
  );
}

/** True for the name of a field that may hold a secret. */
export function isSecretField(name: string): boolean {
  return (
    /key|token|secret|password|credential|authorization/i.test(name) && !/^max_?(?:\w+_)?tokens$/i.test(name)
  );
}

/** The address of a model without user, password and query. */
export function withoutSecrets(address: string): string {
  if (!URL.canParse(address)) return '';
  const url = new URL(address);
  return `${url.origin}${url.pathname}`;
}

function digestOf(value: unknown): string {
  return `sha256 ${createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16)}`;
}

function isHere(address: unknown): boolean {
  return typeof address === 'string' && URL.canParse(address) && isLoopback(new URL(address).hostname);
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return 'none';
  const text = JSON.stringify(value);
  return text.length <= 200 ? text : `${text.slice(0, 199)}…`;
}

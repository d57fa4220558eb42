import type { Capture } from '@art/trajectories';
import type { CapturedChoice, CapturedReply } from './captured-reply.ts';

type SampledVersions = Pick<Capture, 'weightVersion' | 'weightVersions' | 'weightVersionRange'>;

// What vLLM and SGLang say whose weights nobody has given a version.
const unset = 'default';

/**
 * Which weights sampled a choice. What the engine says by token counts. Where it does not, one version is known only if no
 * other was announced while the engine worked: else the answer lies between two of them, and a version that the engine
 * gives for the whole of it is that of its end.
 * @param announced the version in force when the call was sent to the engine, and those that were announced until its end
 */
export function sampledVersions(
  { weightVersions, tokenIds }: Pick<CapturedChoice, 'weightVersions' | 'tokenIds'>,
  { weightVersion: whole }: Pick<CapturedReply, 'weightVersion'>,
  announced: readonly (number | undefined)[],
): SampledVersions {
  const reported = weightVersions.every(({ version }) => version === unset) ? [] : weightVersions;
  const numbers = reported
    .map(({ version }) => wholeNumber(version))
    .filter((version) => version !== undefined);
  // A sample is as stale as its stalest token.
  if (reported.length > 0 && numbers.length === reported.length) {
    return { weightVersion: Math.min(...numbers), weightVersions: reported };
  }
  const [first] = announced;
  const known = announced.filter((version) => version !== undefined);
  if (new Set(announced).size > 1) {
    const oldest = first === undefined ? null : Math.min(...known);
    const weightVersionRange = { oldest, newest: Math.max(...known) };
    return { weightVersion: undefined, weightVersions: reported, weightVersionRange };
  }
  const isReported = reported.length === 0 && whole !== undefined && whole !== unset;
  return {
    weightVersion: first ?? wholeNumber(whole),
    weightVersions: isReported ? [{ version: whole, start: 0, end: tokenIds.length }] : reported,
  };
}

function wholeNumber(text: string | undefined): number | undefined {
  if (text === undefined || !/^-?\d+$/.test(text)) return undefined;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : undefined;
}

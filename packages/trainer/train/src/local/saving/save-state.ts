import { dirname } from 'node:path';
import { ArtError, makeDirectory } from '@art/ground';
import type { PolicyWeights } from '../model/policy-weights.ts';
import type { Adam } from '../training/adam.ts';
import { readSafetensors, type SavedTensor, writeSafetensors } from './safetensors.ts';
import { tensorsOf } from './save-policy.ts';

/** Writes weights and optimizer, so that training continues from them as if nothing had happened, to the last bit. */
export async function saveState(path: string, weights: PolicyWeights, adam: Adam): Promise<void> {
  await makeDirectory(dirname(path));
  const tensors = tensorsOf(weights);
  for (const [name, moments] of adam.moments)
    for (const kind of ['mean', 'square'] as const)
      tensors.set(`adam.${kind}.${name}`, {
        shape: [moments[kind].length],
        data: Float32Array.from(moments[kind]),
      });
  await writeSafetensors(path, tensors, { adam_steps: String(adam.steps) });
}

/**
 * Puts a saved state into weights, and into the optimizer where one is given.
 * @throws ArtError `ART_TRAIN_UNKNOWN_SAVE` where there is none, or it is of another policy
 */
export async function loadState(path: string, weights: PolicyWeights, adam: Adam | undefined): Promise<void> {
  const { tensors, metadata } = await readSafetensors(path);
  const numbersOf = (name: string, length: number): Float32Array => matching(path, tensors, name, length);
  // All are looked at before the first is changed.
  const found = Array.from(weights, ([name, { data }]) => [data, numbersOf(name, data.length)] as const);
  const moments = Array.from(adam?.moments ?? [], ([name, { mean, square }]) => [
    [mean, numbersOf(`adam.mean.${name}`, mean.length)] as const,
    [square, numbersOf(`adam.square.${name}`, square.length)] as const,
  ]).flat();
  for (const [target, source] of [...found, ...moments]) target.set(source);
  if (adam !== undefined) adam.steps = Number(metadata['adam_steps']);
}

function matching(
  path: string,
  tensors: ReadonlyMap<string, SavedTensor>,
  name: string,
  length: number,
): Float32Array {
  const data = tensors.get(name)?.data;
  if (data?.length === length) return data;
  throw new ArtError({
    code: 'ART_TRAIN_UNKNOWN_SAVE',
    message: `Expected ${path} to have ${length} numbers for ${name}, got ${data?.length ?? 'none'}. It was saved from another policy.`,
  });
}

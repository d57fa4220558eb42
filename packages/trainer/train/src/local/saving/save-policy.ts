import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectory } from '@art/ground';
import type { Policy } from '../model/policy.ts';
import { addProduct } from '../numbers/gemm.ts';
import { asRows, type Matrix } from '../model/matrix.ts';
import { qwen3Config } from '../model/policy-shape.ts';
import type { PolicyWeights } from '../model/policy-weights.ts';
import { type SavedTensor, writeSafetensors } from './safetensors.ts';

/** Writes a policy as a checkpoint that transformers and vLLM load: adapters are merged into the weights. */
export async function saveCheckpoint(folder: string, policy: Policy): Promise<void> {
  await makeDirectory(folder);
  await writeFile(join(folder, 'config.json'), `${JSON.stringify(qwen3Config(policy.shape), null, 2)}\n`);
  // Last: where it is, the rest is.
  await writeSafetensors(join(folder, 'model.safetensors'), mergedTensors(policy), { format: 'pt' });
}

function mergedTensors({ weights, lora }: Policy): Map<string, SavedTensor> {
  const tensors = new Map<string, SavedTensor>();
  for (const [name, matrix] of weights) {
    if (/\.lora_[AB]$/.test(name)) continue;
    const data = Float32Array.from(matrix.data);
    const [a, b] = [weights.get(`${name}.lora_A`), weights.get(`${name}.lora_B`)];
    if (lora !== undefined && a !== undefined && b !== undefined) {
      const scaled = Float32Array.from(b.data, (value) => value * (lora.alpha / lora.rank));
      const { rows, columns } = matrix;
      addProduct(
        asRows(data, columns),
        asRows(scaled, lora.rank),
        asRows(a.data, columns),
        rows,
        columns,
        lora.rank,
      );
    }
    tensors.set(name, { shape: shapeOf(matrix), data });
  }
  return tensors;
}

/** Every list of numbers of a policy, as it is. */
export function tensorsOf(weights: PolicyWeights): Map<string, SavedTensor> {
  return new Map(
    Array.from(weights, ([name, matrix]) => [
      name,
      { shape: shapeOf(matrix), data: Float32Array.from(matrix.data) },
    ]),
  );
}

function shapeOf({ rows, columns }: Matrix): number[] {
  return rows === 1 ? [columns] : [rows, columns];
}

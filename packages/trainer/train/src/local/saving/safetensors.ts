import { open, readFile, rename } from 'node:fs/promises';
import { ArtError } from '@art/ground';

/** One list of numbers of a file. */
export interface SavedTensor {
  shape: readonly number[];
  data: Float32Array;
}

/**
 * Writes a `.safetensors` file, which PyTorch, vLLM and the Hugging Face tools read: after any crash it is there as a whole or not at
 * all. Source of the format: huggingface/safetensors, README.
 */
export async function writeSafetensors(
  path: string,
  tensors: ReadonlyMap<string, SavedTensor>,
  metadata: Readonly<Record<string, string>> = {},
): Promise<void> {
  const header: Record<string, unknown> = { __metadata__: metadata };
  let end = 0;
  for (const [name, { shape, data }] of tensors) {
    header[name] = { dtype: 'F32', shape, data_offsets: [end, end + data.byteLength] };
    end += data.byteLength;
  }
  const text = JSON.stringify(header);
  // Numbers begin at a multiple of eight bytes.
  const headerBytes = Buffer.from(text.padEnd(Math.ceil(text.length / 8) * 8));
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(headerBytes.length));
  const file = await open(`${path}.draft`, 'w');
  try {
    const numbers = [...tensors.values()].map(({ data }) =>
      Buffer.from(data.buffer, data.byteOffset, data.byteLength),
    );
    await file.writeFile(Buffer.concat([size, headerBytes, ...numbers]));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.draft`, path);
}

/** @throws ArtError `ART_TRAIN_UNKNOWN_SAVE` where there is no such file, or it is no file of this format */
export async function readSafetensors(
  path: string,
): Promise<{ tensors: Map<string, SavedTensor>; metadata: Record<string, string> }> {
  try {
    const bytes = await readFile(path);
    const start = 8 + Number(bytes.readBigUInt64LE(0));
    const header = JSON.parse(bytes.toString('utf8', 8, start)) as Record<
      string,
      { shape: number[]; data_offsets: [number, number] }
    > & { __metadata__?: Record<string, string> };
    const { __metadata__: metadata = {}, ...entries } = header;
    const tensors = new Map<string, SavedTensor>();
    for (const [
      name,
      {
        shape,
        data_offsets: [from, to],
      },
    ] of Object.entries(entries)) {
      const data = new Float32Array(new Uint8Array(bytes.subarray(start + from, start + to)).buffer);
      tensors.set(name, { shape, data });
    }
    return { tensors, metadata };
  } catch (cause) {
    throw new ArtError({
      code: 'ART_TRAIN_UNKNOWN_SAVE',
      message: `Expected saved weights or a saved state at ${path}: ${(cause as Error).message}.`,
      cause,
    });
  }
}

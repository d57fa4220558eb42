/**
 * Compiles `runs.wat` into `runs-wasm.ts`. Run it as `node src/json/runs/compile-runs.fixture.ts` after a change; a test
 * compares the two.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import initWabt from 'wabt';

/** The text of `runs-wasm.ts`. */
export async function compileRuns(): Promise<string> {
  const wabt = await initWabt();
  const source = await readFile(join(import.meta.dirname, 'runs.wat'), 'utf8');
  const module = wabt.parseWat('runs.wat', source, { simd: true });
  const { buffer } = module.toBinary({});
  module.destroy();
  const lines = Buffer.from(buffer)
    .toString('base64')
    .match(/.{1,100}/g)!;
  return `/** \`runs.wat\`, compiled; see \`compile-runs.fixture.ts\`. */
export const runsWasm =
${lines.map((line) => `  '${line}'`).join(' +\n')};
`;
}

if (import.meta.main) await writeFile(join(import.meta.dirname, 'runs-wasm.ts'), await compileRuns());

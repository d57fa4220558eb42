import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonObject, parseJson } from '@art/ground';
import { findCheckpoint } from './find-checkpoint.ts';
import { type DetectionGet, objectOf } from './detect-flavour.ts';
import type { EngineFlavour } from './engine-profiles.ts';

/** Sampling parameters that a model's own files set, by name. */
export type ModelSampling = Readonly<Record<string, number>>;

/** Values that leave the model's distribution as it is. Any other value cuts or bends it. */
const neutral: ModelSampling = { temperature: 1, top_k: 0, top_p: 1, min_p: 0, repetition_penalty: 1 };

/** The flag by which an engine ignores those files. */
export const samplingFlags: Partial<Record<EngineFlavour, string>> = {
  vllm: '--generation-config vllm',
  sglang: '--sampling-defaults openai',
};

/**
 * The sampling defaults in the `generation_config.json` of an engine's model. vLLM and SGLang apply the file unless a
 * flag says otherwise, and neither reports it over HTTP, so the file is looked for here. For an engine on another
 * machine the result is empty.
 * @throws the error of `get` for `/v1/models`: the engine may be starting up, ask again Sources: vLLM 0.32
 * `--generation-config`, SGLang 0.5.23 `--sampling-defaults`.
 */
export async function modelSampling(
  get: DetectionGet,
  flavour: EngineFlavour,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ModelSampling> {
  if (samplingFlags[flavour] === undefined) return {};
  const ask = (path: string): Promise<Readonly<Record<string, unknown>> | undefined> =>
    get(path).then(objectOf, () => undefined);
  const { data } = objectOf(await get('/v1/models')) ?? {};
  const reported = JSON.stringify(
    (await ask('/server_info?config_format=json')) ?? (await ask('/get_server_info')) ?? {},
  );
  // SGLang lists its flags; vLLM its configuration, in development mode only, as JSON or as the text of Python objects.
  if (/sampling_defaults\W+openai|generation_config\W+vllm\b/.test(reported)) return {};
  const card = (Array.isArray(data) ? (data as unknown[]) : []).find((entry) => isJsonObject(entry));
  const info = flavour === 'sglang' ? await ask('/get_model_info') : undefined;
  const model = info?.['model_path'] ?? card?.['root'];
  const folder = typeof model === 'string' ? findCheckpoint(model, env) : undefined;
  return folder === undefined ? {} : bentBy(await readConfig(join(folder, 'generation_config.json')));
}

async function readConfig(path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const config = parseJson(await readFile(path, 'utf8'));
    return isJsonObject(config) ? config : {};
  } catch {
    // Most models have such a file, and none needs one.
    return {};
  }
}

function bentBy(config: Readonly<Record<string, unknown>>): ModelSampling {
  const bent = Object.entries(neutral).flatMap(([name, without]) => {
    const value = config[name];
    const isSet = typeof value === 'number' && value !== without && !(name === 'top_k' && value < 0);
    return isSet ? [[name, value] as const] : [];
  });
  return Object.fromEntries(bent);
}

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { modelSampling } from './model-sampling.ts';

async function model(config: unknown): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'art-model-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'generation_config.json'), JSON.stringify(config));
  return folder;
}

function engine(routes: Readonly<Record<string, unknown>>): Parameters<typeof modelSampling>[0] {
  return (path) =>
    Promise.resolve({
      status: routes[path] === undefined ? 404 : 200,
      headers: {},
      body: JSON.stringify(routes[path] ?? {}),
    });
}

const qwen = { do_sample: true, eos_token_id: [1, 2], temperature: 0.6, top_k: 20, top_p: 0.95, min_p: 0 };
const bent = { temperature: 0.6, top_k: 20, top_p: 0.95 };

it('finds what the model of vLLM sets, in the folder that vLLM names', async () => {
  const models = { data: [{ id: 'policy', root: await model(qwen) }] };
  expect(await modelSampling(engine({ '/v1/models': models }), 'vllm', {})).toEqual(bent);
});

it("finds that of SGLang's", async () => {
  const info = { model_path: await model(qwen) };
  expect(await modelSampling(engine({ '/get_model_info': info }), 'sglang', {})).toEqual(bent);
});

it('finds nothing where nothing is cut, or nobody knows', async () => {
  const plain = { temperature: 1, top_k: -1, top_p: 1.0, repetition_penalty: 1 };
  const models = { data: [{ root: await model(plain) }] };
  expect(await modelSampling(engine({ '/v1/models': models }), 'vllm', {})).toEqual({});
  const elsewhere = { data: [{ root: '/on/another/machine' }] };
  expect(await modelSampling(engine({ '/v1/models': elsewhere }), 'vllm', {})).toEqual({});
  expect(await modelSampling(engine({}), 'vllm', {})).toEqual({});
});

it.each([
  [
    'vllm',
    '/server_info?config_format=json',
    { vllm_config: { model_config: { generation_config: 'vllm' } } },
  ],
  ['vllm', '/server_info?config_format=json', { vllm_config: "ModelConfig(generation_config='vllm')" }],
  ['sglang', '/get_server_info', { sampling_defaults: 'openai' }],
] as const)('believes %s that says at %s that it does not take it', async (flavour, path, reply) => {
  const root = await model(qwen);
  const routes = {
    '/v1/models': { data: [{ root }] },
    '/get_model_info': { model_path: root },
    [path]: reply,
  };
  expect(await modelSampling(engine(routes), flavour, {})).toEqual({});
});

import { describe, expect, it } from 'vitest';
import { detectFlavour, type DetectionReply } from './detect-flavour.ts';

function engine(routes: Readonly<Record<string, unknown>>): (path: string) => Promise<DetectionReply> {
  return (path) => {
    const body = routes[path];
    if (body instanceof Error) return Promise.reject(body);
    if (body === undefined)
      return Promise.resolve({ status: 404, headers: {}, body: '{"detail":"Not Found"}' });
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return Promise.resolve({ status: 200, headers: {}, body: text });
  };
}

function models(owner: string): object {
  return { object: 'list', data: [{ id: 'm', object: 'model', owned_by: owner }] };
}

describe('detectFlavour', () => {
  it.each([
    ['vllm', 'vllm'],
    ['sglang', 'sglang'],
    ['tensorrt_llm', 'trtllm'],
    ['SGLang', 'sglang'],
    ['llamacpp', 'openai'],
    ['lmdeploy', 'openai'],
    ['library', 'openai'],
    ['organization_owner', 'openai'],
  ] as const)('knows the owner %s', async (owner, flavour) => {
    await expect(detectFlavour(engine({ '/v1/models': models(owner) }))).resolves.toBe(flavour);
  });

  it('knows a router of SGLang by its routes', async () => {
    const info = { model_path: 'm', tokenizer_path: 't' };
    for (const path of ['/get_server_info', '/server_info', '/get_model_info']) {
      await expect(detectFlavour(engine({ [path]: info }))).resolves.toBe('sglang');
    }
  });

  it('takes what has no mark for vLLM', async () => {
    const others = [
      {},
      { '/v1/models': models('openai') },
      { '/v1/models': '<html>' },
      { '/v1/models': [1] },
    ];
    for (const routes of others) {
      await expect(detectFlavour(engine(routes))).resolves.toBe('vllm');
    }
  });

  it('continues where one route breaks off', async () => {
    const get = engine({ '/get_server_info': new Error('reset'), '/server_info': { sglang_version: '1' } });
    await expect(detectFlavour(get)).resolves.toBe('sglang');
  });

  it('fails where the worker cannot be reached', async () => {
    const refused = new Error('refused');
    await expect(detectFlavour(() => Promise.reject(refused))).rejects.toBe(refused);
  });
});

import { describe, expect, it } from 'vitest';
import { assertPassedOn } from './passed-routes.ts';
import { parseProxyPath } from './proxy-path.ts';

function isPassedOn(url: string, method: string): boolean {
  try {
    assertPassedOn(parseProxyPath(url, method)!, method);
    return true;
  } catch {
    return false;
  }
}

describe('what is passed on', () => {
  it.each([
    ['GET', '/v1/models'],
    ['GET', '/v1/models/'],
    ['GET', '/v1/models/Qwen%2FQwen3-8B'],
    ['GET', '/sessions/one/v1/models/Qwen/Qwen3-0.6B'],
    ['GET', '/v1/responses/resp_1'],
    ['POST', '/v1/responses/resp_1/cancel'],
    ['POST', '/v1/embeddings'],
    ['POST', '/sessions/one/v1/rerank?x=1'],
    ['POST', '/v1/audio/transcriptions'],
    ['POST', '/v1/chat/completions'],
    ['POST', '/v1/messages/count_tokens'],
  ])('is %s %s', (method, url) => {
    expect(isPassedOn(url, method)).toBe(true);
  });
});

describe('what is not passed on', () => {
  const administration = [
    'load_lora_adapter',
    'unload_lora_adapter',
    'sleep',
    'wake_up',
    'reset_prefix_cache',
    'update_weights',
    'update_weights_from_disk',
    'init_weights_update_group',
    'flush_cache',
    'pause_generation',
    'pause',
    'collective_rpc',
    'release_memory_occupation',
    'start_profile',
    'abort_request',
    'generate',
    'shutdown',
  ];
  it.each(administration)('is /%s, however it is spelled', (name) => {
    const encoded = `%${name.charCodeAt(0).toString(16)}${name.slice(1)}`;
    for (const method of ['GET', 'POST'])
      for (const path of [
        `/v1/${name}`,
        `/v1/${name}/`,
        `/v1/${name}?x=/models`,
        `/v1/${encoded}`,
        `/v1//${name}`,
        `/v1/../${name}`,
        `/v1/models/../${name}`,
        `/v1/models/../../${name}`,
        `/v1/models/%2e%2e/${name}`,
        `/v1/models/.%2E%2f${name}`,
        `/v1/models/%252e%252e/${name}`,
        `/v1/models/..%5c${name}`,
        `/v1/models/..\\${name}`,
        `/v1/models/./../${name}`,
        `/v1/models//${name}`,
        `/v1/embeddings/../${name}`,
        `/v1/chat/completions/../../${name}`,
        `/sessions/one/v1/models/..;/..%2f${name}`,
      ])
        expect([path, isPassedOn(path, method)]).toEqual([path, false]);
  });

  it('is what has another method, and what is ill-encoded', () => {
    expect(isPassedOn('/v1/models', 'POST')).toBe(false);
    expect(isPassedOn('/v1/embeddings', 'GET')).toBe(false);
    expect(isPassedOn('/v1/models/%E0%A4%A', 'GET')).toBe(false);
  });
});

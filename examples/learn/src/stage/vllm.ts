import { join } from 'node:path';
import type { Engine } from '../learn.ts';
import { takePort } from '@art/local';
import { ProcessGroup } from './process-group.ts';
import { untilAnswering } from './until-answering.ts';

export interface VllmOptions {
  python: string;
  /** Folder with configuration, weights and tokenizer. */
  policy: string;
  /** The name under which it is served. */
  modelId: string;
  seed: number;
  logDir: string;
  signal: AbortSignal;
  /** More of vLLM's own flags; the last of a name counts. @default none */
  flags?: readonly string[] | undefined;
}

/** A real vLLM on the processors of this machine, and how it gets new weights. */
export class Vllm implements Engine, AsyncDisposable {
  readonly url: string;
  readonly group: ProcessGroup;

  private constructor(url: string, group: ProcessGroup) {
    this.url = url;
    this.group = group;
  }

  static async start({
    python,
    policy,
    modelId,
    seed,
    logDir,
    signal,
    flags = [],
  }: VllmOptions): Promise<Vllm> {
    const port = await takePort();
    const group = new ProcessGroup({
      name: 'vLLM',
      // The `vllm` command does not run in this build; its module does.
      command: [
        python,
        '-m',
        'vllm.entrypoints.openai.api_server',
        ...flagsOf({ policy, modelId, seed, port }),
        ...flags,
      ],
      env: {
        // Room for the keys and values of the sequences under way, in GiB.
        VLLM_CPU_KVCACHE_SPACE: '1',
        // Opens the routes by which weights are replaced.
        VLLM_SERVER_DEV_MODE: '1',
        // A thread more costs more than it brings for so small a model.
        OMP_NUM_THREADS: '1',
        // Two functions of its sampler would be compiled at the first call: that needs a C++ compiler and half a minute.
        TORCHDYNAMO_DISABLE: '1',
        HF_HUB_OFFLINE: '1',
        VLLM_NO_USAGE_STATS: '1',
      },
      logFile: join(logDir, 'vllm.log'),
    });
    try {
      const url = `http://127.0.0.1:${port}`;
      await untilAnswering(`${url}/health`, group, { signal, timeoutMs: 600_000 });
      return new Vllm(url, group);
    } catch (error) {
      await group.stop();
      throw error;
    }
  }

  async loadWeights(folder: string, signal: AbortSignal): Promise<void> {
    const reload = { method: 'reload_weights', kwargs: { weights_path: folder } };
    await this.#post('/collective_rpc', reload, signal);
    // What was computed by the weights before must not be continued by the new ones.
    await this.#post('/reset_prefix_cache', {}, signal);
  }

  async #post(path: string, body: object, signal: AbortSignal): Promise<void> {
    const answer = await fetch(`${this.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`Expected vLLM to do POST ${path}, got HTTP ${answer.status}: ${text}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.group.stop();
  }
}

function flagsOf({
  policy,
  modelId,
  seed,
  port,
}: Pick<VllmOptions, 'policy' | 'modelId' | 'seed'> & { port: number }): string[] {
  // Engine and trainer agree to 7 digits with float32; with bfloat16 they would not to 3.
  const numbers = ['--dtype', 'float32', '--enforce-eager', '--max-model-len', '256', '--seed', String(seed)];
  const address = ['--host', '127.0.0.1', '--port', String(port), '--disable-uvicorn-access-log'];
  return ['--model', policy, '--served-model-name', modelId, ...numbers, ...address];
}

import type { GatewayClient } from '@art/gateway-client';
import type { RolloutGatewayOptions } from '@art/rollout';
import type { CollectRequest } from '../request/collect-request.ts';

/** Tells once of each engine whose model's files change sampling in what nobody has set. */
export class CollectedModelSampling {
  readonly #client: Pick<GatewayClient, 'workers'>;
  readonly #gateway: RolloutGatewayOptions;
  readonly #onNotice: (message: string) => void;
  readonly #told = new Set<string>();

  constructor(
    client: Pick<GatewayClient, 'workers'>,
    gateway: RolloutGatewayOptions,
    onNotice: (message: string) => void,
  ) {
    this.#client = client;
    this.#gateway = gateway;
    this.#onNotice = onNotice;
  }

  async check({ sampling, samplingDefaults }: CollectRequest): Promise<void> {
    const { samplingDefaults: gatewayDefaults, samplingParams } = this.#gateway;
    const set = { ...gatewayDefaults, ...samplingDefaults, ...samplingParams, ...sampling };
    // rllm-model-gateway does not know of it, and a gateway that does not answer is found out by what follows.
    const workers = await this.#client.workers().catch(() => []);
    for (const { url, model_sampling: own } of workers) {
      const unset = Object.entries(own ?? {}).filter(([name]) => !(name in set));
      if (unset.length === 0 || this.#told.has(url)) continue;
      this.#told.add(url);
      const values = unset.map(([name, value]) => `${name} ${value}`).join(', ');
      this.#onNotice(
        `The model at ${url} has a generation_config.json that sets ${values} for every call that does not: logprobs are then not those of what was sampled. Start vLLM with "--generation-config vllm" (SGLang: "--sampling-defaults openai"), or set them in "sampling".`,
      );
    }
  }
}

import {
  AgentCoreRLApp as ServerApp,
  type AgentCoreRLAppOptions,
  type ListenOptions,
  type RequestSchema,
} from '@art/server';
import { checkResultStoreVariable } from '@art/store';
import { defaultResultStore } from './default-result-store.ts';

/** `AgentCoreRLApp` of `@art/server` with this package's default store. */
export class AgentCoreRLApp<
  R extends RequestSchema | undefined = undefined,
  I extends RequestSchema | undefined = undefined,
> extends ServerApp<R, I> {
  readonly #lacksStore: boolean;

  constructor(options: AgentCoreRLAppOptions<R, I> = {}) {
    // What is no object goes through as it is, for the server to refuse.
    const lacksStore = typeof options === 'object' && options !== null && options.resultStore === undefined;
    super(lacksStore ? { ...options, resultStore: defaultResultStore() } : options);
    this.#lacksStore = lacksStore;
  }

  override async listen(options?: ListenOptions): Promise<string> {
    if (this.#lacksStore) checkResultStoreVariable();
    return super.listen(options);
  }
}

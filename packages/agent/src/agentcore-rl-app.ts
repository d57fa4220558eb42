import { AgentCoreRLApp as ServerApp, type AgentCoreRLAppOptions, type RequestSchema } from '@art/server';
import { defaultResultStore } from './default-result-store.ts';

/** `AgentCoreRLApp` of `@art/server` with this package's default store. */
export class AgentCoreRLApp<
  R extends RequestSchema | undefined = undefined,
  I extends RequestSchema | undefined = undefined,
> extends ServerApp<R, I> {
  constructor(options: AgentCoreRLAppOptions<R, I> = {}) {
    // What is no object goes through as it is, for the server to refuse.
    const lacksStore = typeof options === 'object' && options !== null && options.resultStore === undefined;
    super(lacksStore ? { ...options, resultStore: defaultResultStore() } : options);
  }
}

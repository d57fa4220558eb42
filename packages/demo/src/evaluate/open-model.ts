import { scriptedModelId, startScriptedModel } from '../scripted-model/start-scripted-model.ts';
import type { EvaluationOptions } from './evaluation-options.ts';
import type { SummaryContext } from './evaluation-summary.ts';

/** The model that an evaluation uses. */
export interface OpenModel {
  baseUrl: string;
  modelId: string;
  /** What kind of server it is; undefined leaves it to the gateway to find out. */
  flavour: 'vllm' | undefined;
  /** What the scripted model says about itself; undefined for a real one. */
  scripted(): SummaryContext['scripted'];
  close(): Promise<void>;
}

/** Starts the scripted model, or points to the real one. */
export async function openModel(options: Pick<EvaluationOptions, 'model' | 'seed'>): Promise<OpenModel> {
  const { model, seed } = options;
  if (model.kind === 'endpoint') {
    const { baseUrl, modelId } = model;
    return {
      baseUrl,
      modelId,
      flavour: undefined,
      scripted: () => undefined,
      close: () => Promise.resolve(),
    };
  }
  const { errorRate, latencyMs } = model;
  const scripted = await startScriptedModel({ errorRate, latencyMs, seed });
  return {
    baseUrl: scripted.baseUrl,
    modelId: scriptedModelId,
    // It gives token ids as vLLM does.
    flavour: 'vllm',
    scripted: () => ({ errorRate, ...scripted.counts() }),
    close: () => scripted.close(),
  };
}

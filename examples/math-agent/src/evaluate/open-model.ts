import { scriptedModelId } from '../scripted-model/scripted-model-app.ts';
import { startScriptedModel } from '../scripted-model/start-scripted-model.ts';
import type { EvaluationOptions } from './evaluation-options.ts';
import type { SummaryContext } from './evaluation-summary.ts';

/** The model that an evaluation uses. */
export interface OpenModel {
  baseUrl: string;
  modelId: string;
  /** What the scripted model says about itself; undefined for a real one. */
  scripted(): SummaryContext['scripted'];
  close(): Promise<void>;
}

/** Starts the scripted model, or points to the real one. */
export async function openModel(options: Pick<EvaluationOptions, 'model' | 'seed'>): Promise<OpenModel> {
  const { model, seed } = options;
  if (model.kind === 'endpoint') {
    const { baseUrl, modelId } = model;
    return { baseUrl, modelId, scripted: () => undefined, close: () => Promise.resolve() };
  }
  const { errorRate, latencyMs } = model;
  const scripted = await startScriptedModel({ errorRate, latencyMs, seed });
  return {
    baseUrl: scripted.baseUrl,
    modelId: scriptedModelId,
    scripted: () => ({ errorRate, ...scripted.counts() }),
    close: () => scripted.close(),
  };
}

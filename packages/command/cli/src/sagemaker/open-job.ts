import { resolve } from 'node:path';
import { type CleanupStack, ArtError, isHttpUrl } from '@art/ground';
import { type LocalJobRuntime, startLocalJobRuntime } from '@art/server-sagemaker/local';
import { readPayloadList } from '../arguments/read-payload-list.ts';
import type { CliContext } from '../cli-context.ts';

/** Options of the trainer that is played. */
export interface JobOptions {
  region: string;
  /** File with the prompts. */
  sagemaker: string;
  /** URL of a model with OpenAI's API, or a script for the mock model. @default the mock model says each question again */
  model?: string | undefined;
}

/** A job that is ready to begin: its prompts have been read, and its runtime listens. */
export interface OpenJob {
  prompts: unknown[];
  runtime: LocalJobRuntime;
  /** For the agent's environment. */
  env: Record<string, string>;
}

/**
 * Gets a job ready.
 * @param parts lets go of it
 * @throws ArtError `ART_INVALID_PAYLOAD`, `ART_INVALID_OPTION` for a script that is none
 */
export async function openJob(
  { sagemaker: file, model, region }: JobOptions,
  context: CliContext,
  parts: CleanupStack,
): Promise<OpenJob> {
  const prompts = await readPrompts(file, context);
  let modelUrl = model;
  if (modelUrl === undefined || !isHttpUrl(modelUrl)) {
    const { readScript, startMockModel } = await import('@art/mock-model');
    const reply = model === undefined ? undefined : await readScript(resolve(context.cwd, model));
    const mock = await startMockModel({ reply });
    parts.defer(() => mock.close());
    modelUrl = mock.baseUrl;
  }
  const runtime = await startLocalJobRuntime({ modelUrl, region });
  parts.defer(() => runtime.close());
  return { prompts, runtime, env: { RFT_RUNTIME_ENDPOINT: runtime.endpoint } };
}

/**
 * The prompts of a dataset as the trainer sends them: of each line the column `prompt`, else the first one, as it is.
 * @throws ArtError `ART_INVALID_PAYLOAD`
 */
async function readPrompts(file: string, context: CliContext): Promise<unknown[]> {
  const rows = await readPayloadList(file, context);
  return rows.map((row, index) => {
    const prompt = 'prompt' in row ? row['prompt'] : Object.values(row)[0];
    if (prompt !== undefined) return prompt;
    throw new ArtError({
      code: 'ART_INVALID_PAYLOAD',
      message: `Expected each item of ${file} to have a column "prompt", or one at least; item ${index} has none.`,
    });
  });
}

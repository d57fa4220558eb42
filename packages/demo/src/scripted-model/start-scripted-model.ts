import { scriptedModelApp, type ScriptedModelAppOptions } from './scripted-model-app.ts';

export interface StartScriptedModelOptions extends Omit<ScriptedModelAppOptions, 'onReply'> {
  /** 0 takes any free port. @default 0 */
  port?: number | undefined;
}

/** What the scripted model has done so far. */
export interface ScriptedModelCounts {
  /** Problems that it gave an answer to. */
  answered: number;
  /** Answers in which it made a mistake. */
  mistaken: number;
  /** Problems that it could not parse or finish. */
  gaveUp: number;
}

export interface ScriptedModel {
  /** What goes into an OpenAI client's `baseURL`: `http://127.0.0.1:PORT/v1`. */
  baseUrl: string;
  counts(): ScriptedModelCounts;
  close(): Promise<void>;
}

/** Serves the scripted model on loopback. */
export async function startScriptedModel(options: StartScriptedModelOptions): Promise<ScriptedModel> {
  const { port = 0, ...rest } = options;
  const counts: ScriptedModelCounts = { answered: 0, mistaken: 0, gaveUp: 0 };
  const app = scriptedModelApp({
    ...rest,
    onReply: (reply) => {
      if (reply.kind === 'give_up') counts.gaveUp += 1;
      if (reply.kind !== 'answer') return;
      counts.answered += 1;
      if (reply.plan.mistake !== undefined) counts.mistaken += 1;
    },
  });
  const address = await app.listen({ host: '127.0.0.1', port });
  return {
    baseUrl: `${address}/v1`,
    counts: () => ({ ...counts }),
    close: () => app.close(),
  };
}

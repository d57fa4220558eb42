import { type MockModel, startMockModel } from '@art/mock-model';
import { chooseReply, type ScriptedBehaviour } from './choose-reply.ts';

/** The one model it serves. Requests for any other name are answered 404, as OpenAI does. */
export const scriptedModelId = 'scripted-math';

export interface StartScriptedModelOptions extends ScriptedBehaviour {
  /** 0 takes any free port. @default 0 */
  port?: number | undefined;
  /** Thinking time before each reply. @default 0 */
  latencyMs?: number | undefined;
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

export interface ScriptedModel extends MockModel {
  counts(): ScriptedModelCounts;
}

/**
 * Serves, on loopback, a model that is a script and not a neural network: it understands the generator's problems by their
 * wording, really uses the calculator tool, and makes seeded mistakes. It lets the example run without a model.
 */
export async function startScriptedModel(options: StartScriptedModelOptions): Promise<ScriptedModel> {
  const { port, latencyMs = 0, ...behaviour } = options;
  const counts: ScriptedModelCounts = { answered: 0, mistaken: 0, gaveUp: 0 };
  const model = await startMockModel({
    port,
    modelId: scriptedModelId,
    reply: (request) => {
      const reply = chooseReply(request, behaviour);
      const said = { text: reply.content, delayMs: latencyMs };
      if (reply.kind === 'call')
        return { ...said, toolCalls: [{ name: 'calculator', arguments: { expression: reply.expression } }] };
      if (reply.kind === 'give_up') counts.gaveUp += 1;
      else {
        counts.answered += 1;
        if (reply.plan.mistake !== undefined) counts.mistaken += 1;
      }
      return said;
    },
  });
  return { ...model, counts: () => ({ ...counts }) };
}

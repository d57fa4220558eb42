/** A thing that a file needs from `rollout.ts`. */
export type RolloutPart =
  | 'model'
  | 'runner'
  | 'perRollout'
  | 'kept'
  | 'prompt'
  | 'call'
  | 'stream'
  | 'reward';
/** A way to make the model of a rollout. */
export type ModelKind = 'strands' | 'ai-sdk' | 'langchain' | 'mastra' | 'openai' | 'openai-agents';

interface ModelText {
  packages: readonly string[];
  imports: readonly [names: string, from: string][];
  /** Type of what a rollout asks. */
  type: string;
  make: string;
}

const models: Record<ModelKind, ModelText> = {
  strands: {
    packages: ['openai'],
    imports: [['{ OpenAIModel }', '@strands-agents/sdk/models/openai']],
    type: 'OpenAIModel',
    make: `new OpenAIModel({
    api: 'chat',
    modelId: rollout.modelId ?? 'policy',
    apiKey: rollout.apiKey ?? sessionId,
    clientConfig: { baseURL: rollout.baseUrl },
    params: rollout.samplingParams,
  })`,
  },
  'ai-sdk': {
    packages: ['@ai-sdk/openai-compatible'],
    imports: [['{ createOpenAICompatible }', '@ai-sdk/openai-compatible']],
    type: 'ReturnType<ReturnType<typeof createOpenAICompatible>>',
    make: `createOpenAICompatible({
    name: 'rollout',
    baseURL: rollout.baseUrl,
    apiKey: rollout.apiKey ?? sessionId,
    transformRequestBody: (body) => ({ ...body, ...rollout.samplingParams }),
  })(rollout.modelId ?? 'policy')`,
  },
  langchain: {
    packages: ['@langchain/openai'],
    imports: [['{ ChatOpenAI }', '@langchain/openai']],
    type: 'ChatOpenAI',
    make: `new ChatOpenAI({
    model: rollout.modelId ?? 'policy',
    apiKey: rollout.apiKey ?? sessionId,
    configuration: { baseURL: rollout.baseUrl },
    modelKwargs: rollout.samplingParams,
  })`,
  },
  mastra: {
    packages: [],
    imports: [],
    type: '{ id: `rollout/${string}`; url: string; apiKey: string }',
    make: `{ id: \`rollout/\${rollout.modelId ?? 'policy'}\`, url: rollout.baseUrl, apiKey: rollout.apiKey ?? sessionId }`,
  },
  openai: {
    packages: ['openai'],
    imports: [['OpenAI', 'openai']],
    type: 'OpenAI',
    make: `new OpenAI({
    baseURL: rollout.baseUrl,
    apiKey: rollout.apiKey ?? sessionId,
  })`,
  },
  'openai-agents': {
    packages: [],
    imports: [['{ OpenAIProvider, Runner }', '@openai/agents']],
    type: 'Runner',
    make: `new Runner({
    model: rollout.modelId ?? 'policy',
    modelProvider: new OpenAIProvider({
      baseURL: rollout.baseUrl,
      apiKey: rollout.apiKey ?? sessionId,
      useResponses: false,
    }),
    modelSettings: { providerData: rollout.samplingParams },
    tracingDisabled: true,
  })`,
  },
};

/**
 * Packages that the model of a rollout needs.
 * @param ai generation of `ai` that is installed, which takes no models of a newer one
 */
export function packagesOf(kind: ModelKind, ai: number | undefined): readonly string[] {
  const { packages } = models[kind];
  const provider = ai === undefined || ai > 7 ? '' : `@${ai - 4}`;
  return kind === 'ai-sdk' ? packages.map((name) => name + provider) : packages;
}

/** The text of `rollout.ts`, the file beside the agent that knows of rollouts; JavaScript where the agent is that. */
export function rolloutFile(
  kind: ModelKind | undefined,
  parts: ReadonlySet<RolloutPart>,
  { isTyped, isCommonJs }: { isTyped: boolean; isCommonJs: boolean },
): string {
  const typed = (text: string): string => (isTyped ? text : '');
  const model = kind !== undefined && parts.has('model') ? models[kind] : undefined;
  const bring = (names: string, from: string): string =>
    isCommonJs ? `const ${names} = require('${from}');` : `import ${names} from '${from}';`;
  const asksContext =
    model !== undefined || parts.has('perRollout') || parts.has('prompt') || parts.has('call');
  const given = [
    ...(parts.has('reward') ? ['ExactMatchReward'] : []),
    ...(asksContext ? ['getContext'] : []),
  ];
  const blocks = [
    [
      bring(`{ ${given.join(', ')} }`, '@art/agent'),
      ...(model?.imports ?? []).map(([names, from]) => bring(names, from)),
    ].join('\n'),
  ];
  const declared: string[] = [];
  if (model !== undefined) {
    declared.push('rolloutModel');
    blocks.push(`/** The model that this rollout asks; undefined for your users. */
function rolloutModel()${typed(`: ${model.type} | undefined`)} {
  const { rollout, sessionId } = getContext() ?? {};
  if (rollout?.baseUrl === undefined || sessionId === undefined) return undefined;
  return ${model.make};
}`);
  }
  if (parts.has('runner')) {
    declared.push('runner');
    blocks.push(`let usersRunner${typed(': Runner | undefined')};

/** Runs agents with the model of this rollout, or with the one of your users. */
function runner()${typed(': Runner')} {
  return rolloutModel() ?? (usersRunner ??= new Runner());
}`);
  }
  if (parts.has('perRollout')) {
    declared.push('perRollout');
    blocks.push(`/** Makes one value for each rollout, and one for all of your users. */
function perRollout${typed('<T>')}(make${typed(': () => T')})${typed(': () => T')} {
  const made = new WeakMap${typed('<object, { value: T }>')}();
  const users = {};
  return () => {
    const context = getContext();
    const key = context?.rollout === undefined ? users : context;
    const kept = made.get(key) ?? { value: make() };
    made.set(key, kept);
    return kept.value;
  };
}`);
  }
  if (parts.has('kept')) {
    declared.push('keptPerRollout');
    blocks.push(`/** A variable with one value for each rollout, and one for all of your users. */
function keptPerRollout${typed('<T>')}(first${typed(': T')})${typed(': { value: T }')} {
  const kept = perRollout(() => ({ value: first }));
  return {
    get value() {
      return kept().value;
    },
    set value(value) {
      kept().value = value;
    },
  };
}`);
  }
  if (parts.has('call')) {
    declared.push('modelIdOf', 'samplingParams');
    blocks.push(`/** The name of the rollout's model, or of the one of your users. */
function modelIdOf(usersModel${typed(': string')})${typed(': string')} {
  return getContext()?.rollout?.modelId ?? usersModel;
}

/** How a rollout samples; nothing for your users. */
function samplingParams()${typed(': Record<string, unknown> | undefined')} {
  return getContext()?.rollout?.samplingParams;
}`);
  }
  if (parts.has('stream')) {
    declared.push('partsOf', 'textOf');
    blocks.push(
      `/** The parts of a stream; unlike the stream itself it throws where the model fails. */
async function* partsOf${typed('<Part extends { type: string }>')}(stream${typed(': AsyncIterable<Part>')})${typed(': AsyncGenerator<Part>')} {
  for await (const part of stream) {
    const { error, payload }${typed(': { type: string; error?: unknown; payload?: { error?: unknown } }')} = part;
    if (part.type === 'error') throw error ?? payload?.error;
    yield part;
  }
}`,
      `/** The pieces of text in such a stream. */
async function* textOf(stream${typed(': AsyncIterable<{ type: string }>')})${typed(': AsyncGenerator<string>')} {
  for await (const part of partsOf(stream)) {
    const { text, payload }${typed(': { type: string; text?: string; payload?: { text?: string } }')} = part;
    if (part.type === 'text-delta') yield text ?? payload?.text ?? '';
  }
}`,
    );
  }
  if (parts.has('prompt')) {
    declared.push('promptOf');
    blocks.push(`/** The text of a prompt, which a rollout may replace. */
function promptOf(name${typed(': string')}, text${typed(': string')})${typed(': string')} {
  return getContext()?.prompt(name, text) ?? text;
}`);
  }
  if (parts.has('reward')) {
    declared.push('rewardOf');
    blocks.push(`// Put in its place what a good answer is for your tasks.
const reward = new ExactMatchReward();

/** The reward of an answer, where the request brings the right one: your users' requests have none. */
async function rewardOf(answer${typed(': unknown')}, groundTruth${typed(': string | undefined')})${typed(': Promise<{ reward?: number }>')} {
  if (groundTruth === undefined) return {};
  const text = String(answer ?? '');
  const responseText = text === '[object Object]' ? JSON.stringify(answer) : text;
  return { reward: await reward.compute({ responseText, groundTruth }) };
}`);
  }
  const text = blocks.join('\n\n');
  if (isCommonJs) return `${text}\n\nmodule.exports = { ${declared.join(', ')} };\n`;
  return `${text.replaceAll(/^(?=(?:async )?function[ *])/gm, 'export ')}\n`;
}

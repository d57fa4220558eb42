import { isJsonObject } from '@art/protocol';

import { readCheckpoint, type Checkpoint } from './checkpoint.ts';
import { TextDecoderOfTokens } from './text-decoder.ts';
import { TokenEngine, type RenderTask } from './token-engine.ts';

/** What Python made of the same checkpoint, to compare with. */
export interface TokenizerVectors {
  /** `tokenizer.encode(text, add_special_tokens=False)`. */
  texts?: readonly { text: string; ids: readonly number[] }[] | undefined;
  /** `tokenizer.apply_chat_template(...)`; messages, tools and variables as JSON text. */
  conversations?: readonly TokenizerConversation[] | undefined;
}

export interface TokenizerConversation {
  messages: readonly string[];
  tools?: string | null | undefined;
  /** Further variables of the template, a JSON object. */
  variables?: string | undefined;
  /** `add_generation_prompt`. @default true */
  generate?: boolean | undefined;
  ids: readonly number[];
}

/** One thing that was looked at. */
export interface TokenizerCheck {
  name: 'constructs' | 'special_tokens' | 'stop_tokens' | 'round_trip' | 'template' | 'bridge' | 'vectors';
  /** `warning`: works, but something may differ from Python, or cannot be done. */
  verdict: 'ok' | 'warning' | 'failed';
  detail: string;
}

export interface TokenizerReport {
  /** Whether nothing failed. */
  ok: boolean;
  checks: readonly TokenizerCheck[];
}

/**
 * Tells whether a checkpoint can be rendered and tokenised here as in Python. Works in the calling thread, for some hundred
 * milliseconds; meant for the command line and for the start of a run.
 * @param vectors what Python gives; without them only what the checkpoint itself tells is checked
 * @throws ArtError `ART_TOKENIZER_UNREADABLE` where it cannot be loaded at all
 */
export async function checkTokenizer(
  folder: string,
  vectors: TokenizerVectors = {},
): Promise<TokenizerReport> {
  const checkpoint = await readCheckpoint(folder);
  const engine = new TokenEngine(checkpoint);
  const checks = [
    checkConstructs(checkpoint),
    checkSpecialTokens(engine),
    checkStops(engine),
    checkRoundTrip(engine),
    checkTemplate(engine),
    checkBridge(engine),
    ...checkVectors(engine, vectors),
  ];
  return { ok: checks.every((check) => check.verdict !== 'failed'), checks };
}

// What the tokenizer library says of itself: these it reads differently from the reference implementation.
function checkConstructs(checkpoint: Checkpoint): TokenizerCheck {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isJsonObject(value)) return;
    const { Regex: pattern, behavior } = value;
    if (typeof pattern === 'string') {
      if (pattern.includes('\\G')) found.add('\\G');
      // Quantifiers only: not the plus after a class such as \p{L} or in one such as [*+].
      const plain = pattern.replaceAll(/\\[pPx]\{[^}]*\}|\\.|\[[^\]]*\]/g, '.');
      if (/(?:[*+?]|\{\d*,?\d*\})\+/.test(plain)) found.add('possessive quantifiers');
      if (pattern.includes('(?>')) found.add('atomic groups');
    }
    if (typeof behavior === 'string' && /^(?:MergedWith|Contiguous)/.test(behavior))
      found.add(`split ${behavior}`);
    Object.values(value).forEach(visit);
  };
  visit(checkpoint.tokenizer['pre_tokenizer']);
  visit(checkpoint.tokenizer['normalizer']);
  if (found.size === 0) return { name: 'constructs', verdict: 'ok', detail: 'all are supported' };
  const detail = `compare with Python, which reads these differently: ${[...found].join(', ')}`;
  return { name: 'constructs', verdict: 'warning', detail };
}

function checkSpecialTokens(engine: TokenEngine): TokenizerCheck {
  const split = engine.encoder.specialTokens.filter((token) => engine.encoder.encode(token).length !== 1);
  return {
    name: 'special_tokens',
    verdict: split.length === 0 ? 'ok' : 'failed',
    detail:
      split.length === 0
        ? `${engine.encoder.specialTokens.length} special tokens are one id each`
        : `these are not one id: ${split.slice(0, 5).join(' ')}`,
  };
}

function checkStops(engine: TokenEngine): TokenizerCheck {
  const stops = engine.encoder.stopTokenIds;
  return stops.length > 0
    ? { name: 'stop_tokens', verdict: 'ok', detail: `a turn ends with ${stops.join(', ')}` }
    : { name: 'stop_tokens', verdict: 'warning', detail: 'no token is known to end a turn' };
}

const samples = [
  'Hello, world!',
  'def f(x):\n\treturn x ** 2  # café\r\n',
  '中文 日本語 한국어 العربية हिन्दी',
  '👨‍👩‍👧‍👦 🇩🇪 ½ ﬁ',
  "1234567890 3.14e-10 DON'T",
];

function checkRoundTrip(engine: TokenEngine): TokenizerCheck {
  const decoder = new TextDecoderOfTokens(engine.encoder.tables());
  const changed = samples.filter((text) => {
    const back = decoder.decode(engine.encoder.encode(text));
    return back !== text && back !== text.normalize('NFC');
  });
  return changed.length === 0
    ? { name: 'round_trip', verdict: 'ok', detail: `${samples.length} texts come back as they were` }
    : { name: 'round_trip', verdict: 'warning', detail: `comes back changed: ${JSON.stringify(changed[0])}` };
}

const user = '{"role":"user","content":"How many?"}';
const answer = '{"role":"assistant","content":"Twelve."}';
const tools =
  '[{"type":"function","function":{"name":"count","description":"Counts.","parameters":{"type":"object","properties":{"of":{"type":"number","minimum":1.0}}}}}]';
const calling =
  '{"role":"assistant","content":"","tool_calls":[{"id":"call00001","type":"function","function":{"name":"count","arguments":{"of":1.0}}}]}';
const result = '{"role":"tool","tool_call_id":"call00001","name":"count","content":"12"}';

const conversations: Readonly<Record<string, RenderTask>> = {
  'a question': { messages: [user] },
  'a system message': { messages: ['{"role":"system","content":"Be terse."}', user] },
  'several turns': { messages: [user, answer, user] },
  tools: { messages: [user], tools },
  'tool results': { messages: [user, calling, result], tools },
};

function checkTemplate(engine: TokenEngine): TokenizerCheck {
  const refused: string[] = [];
  for (const [name, task] of Object.entries(conversations)) {
    try {
      engine.render(task);
    } catch (error) {
      refused.push(`${name} (${error instanceof Error ? error.message : String(error)})`);
    }
  }
  if (refused.length === 0)
    return { name: 'template', verdict: 'ok', detail: 'all conversations can be rendered' };
  // Many templates refuse system messages or tools on purpose.
  const verdict = refused.length === Object.keys(conversations).length ? 'failed' : 'warning';
  return { name: 'template', verdict, detail: `refused: ${refused.join('; ')}` };
}

function checkBridge(engine: TokenEngine): TokenizerCheck {
  const failed = (verdict: TokenizerCheck['verdict'], detail: string): TokenizerCheck => ({
    name: 'bridge',
    verdict,
    detail,
  });
  try {
    const previousPrompt = engine.render({ messages: [user] });
    const whole = engine.render({ messages: [user, answer, user] });
    const previousCompletion = engine.encoder.encode('Twelve.');
    const bridged = engine.bridge({ previousPrompt, previousCompletion, newMessages: [user] });
    if (bridged === undefined) return failed('warning', 'turns cannot be continued: each is rendered anew');
    const same = bridged.length === whole.length && bridged.every((id, index) => id === whole[index]);
    return same
      ? failed('ok', 'a continued turn has the tokens of the rendered one')
      : failed(
          'warning',
          'a continued turn differs from the rendered one, as where a template drops reasoning',
        );
  } catch (error) {
    return failed('warning', error instanceof Error ? error.message : String(error));
  }
}

function checkVectors(engine: TokenEngine, vectors: TokenizerVectors): TokenizerCheck[] {
  const texts = vectors.texts ?? [];
  const rendered = vectors.conversations ?? [];
  if (texts.length + rendered.length === 0) return [];
  const different: string[] = [];
  const compare = (name: string, ids: () => Int32Array, expected: readonly number[]): void => {
    let got: Int32Array;
    try {
      got = ids();
    } catch (error) {
      different.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      return;
    }
    const at = expected.findIndex((id, index) => id !== got[index]);
    if (at < 0 && got.length === expected.length) return;
    const place = at < 0 ? expected.length : at;
    different.push(
      `${name}: at token ${place} expected ${expected[place] ?? 'the end'}, got ${got[place] ?? 'the end'}`,
    );
  };
  for (const { text, ids } of texts) compare(JSON.stringify(text), () => engine.encoder.encode(text), ids);
  for (const [index, { messages, tools: given, variables, generate, ids }] of rendered.entries()) {
    const task: RenderTask = {
      messages,
      tools: given ?? undefined,
      templateArguments: variables,
      addGenerationPrompt: generate,
    };
    compare(`conversation ${index}`, () => engine.render(task), ids);
  }
  const count = texts.length + rendered.length;
  return [
    different.length === 0
      ? { name: 'vectors', verdict: 'ok', detail: `${count} vectors agree` }
      : {
          name: 'vectors',
          verdict: 'failed',
          detail: `${different.length} of ${count} differ; ${different.slice(0, 3).join('; ')}`,
        },
  ];
}

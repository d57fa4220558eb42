import { type EngineFlavour, engineProfiles } from '../engines/engine-profiles.ts';
import type { TextBytes } from '../store/capture-store.ts';
import { type CapturedEndpoint, type ClientWants, readClientWants } from './client-wants.ts';
import { JsonScanner } from '../json-bytes/json-scanner.ts';
import { isTruthyJson, objectMembers, type ObjectMembers, setMembers } from '../json-bytes/object-members.ts';
import { JsonSyntaxError } from '../json-bytes/json-syntax-error.ts';
import { ArtError, stringifyJson } from '@art/ground';
import { constraintsOf } from './constraints.ts';
import { type MediaPart, mediaIn } from './media-parts.ts';
import { samplingText, type SamplingText } from './sampling-text.ts';

/** How a call is read. */
export interface ReadPlan {
  endpoint: CapturedEndpoint;
  /** Takes the place of the agent's `model`; undefined leaves the agent's. */
  model: string | undefined;
  /** The session's parameters: they win over the agent's fields of the same name. */
  samplingParams: Readonly<Record<string, unknown>>;
}

/** The changes to a call for one kind of engine. */
export interface InjectionPlan {
  flavour: EngineFlavour;
  /** Ask the engine for logprobs where its flavour has them. */
  addLogprobs: boolean;
  /** Ask the engine for token ids where its flavour has them. */
  addTokenIds: boolean;
  /**
   * Take out of the reply what the agent did not ask for. Where it is off, logprobs still go that only the gateway asked
   * for, as rllm-model-gateway has it.
   * @default true
   */
  stripEngineFields?: boolean | undefined;
  /** How its prompt continues from an earlier turn, and is gone on from. @default not */
  continuation?: Continuation | undefined;
}

/** How the tokens of a call and those of other turns of its session belong together. */
export interface Continuation {
  /** See `PromptMessages` of the capture store. */
  scope: string;
  /** Ids at which the call itself has sampling stop. */
  stopTokenIds: readonly number[];
  /** The prompt, which begins with the tokens of the turn before; undefined where the engine renders it. */
  promptIds: Int32Array | undefined;
}

/** Content of a call, the same for every engine. */
interface CallContent extends SamplingText {
  endpoint: CapturedEndpoint;
  stream: boolean;
  clientWants: ClientWants;
  /** How many prompts the call has: more than one only where a completions call lists several. */
  promptCount: number;
  /** How many choices the reply will have: `n` for each prompt. */
  choiceCount: number;
  model: string | undefined;
  /** Raw JSON text each. A completions call with a text prompt has it as one user message; with token ids none. */
  messages: readonly TextBytes[];
  /** Raw JSON text. */
  tools: string | undefined;
  /** Content that token ids do not hold. */
  media: readonly MediaPart[];
  /** The fields that restrict which tokens may be sampled. */
  constraints: readonly string[];
  temperature: number | undefined;
  topP: number | undefined;
}

/** A call that was read, and can be made ready for any engine. */
export interface ReadCall extends CallContent {
  /** The JSON text of a field as it counts; undefined where there is none. */
  value: (name: string) => string | undefined;
  /** The body with everything that was set, and these fields over it; the same bytes where nothing has to change. */
  splice: (injected: ReadonlyMap<string, string>) => Uint8Array;
}

/** A call as it goes to the engine, with what is needed to read and strip its reply. */
export interface PreparedCall extends CallContent {
  flavour: EngineFlavour;
  /** The agent's bytes with the injected fields spliced in; the same object where nothing had to change. */
  body: Uint8Array;
  stripEngineFields: boolean;
  /** Takes out the logprobs that only the gateway asked for where the engine's other fields stay. */
  stripLogprobs?: boolean | undefined;
  /** Requirements of a complete capture of this call. A reply without them is marked. */
  expects: { tokenIds: boolean; logprobs: boolean };
  continuation?: Continuation | undefined;
}

/** The prompts of a call. */
interface Prompts {
  /** How many answers it will have for each choice that it asks for. */
  count: number;
  /** As chat messages, JSON text each. */
  messages: readonly TextBytes[];
}

/** Reads the items of a chat call's `messages`, each as it is spelled; none where it is no array. */
function readMessages(scanner: JsonScanner | undefined): readonly string[] {
  if (scanner?.peek() !== 0x5b) return [];
  const messages: string[] = [];
  for (let more = scanner.firstItem(); more; more = scanner.nextItem()) messages.push(scanner.readText());
  return messages;
}

/** The same where the items have been found already, as parts of the bytes. */
function messagesAt(bytes: Buffer, places: readonly number[]): readonly Buffer[] {
  const messages: Buffer[] = [];
  for (let at = 0; at < places.length; at += 2) messages.push(bytes.subarray(places[at], places[at + 1]));
  return messages;
}

/**
 * Reads a completions call's `prompt`: a text, a list of token ids, or a list of either. A single text becomes a user
 * message, so that its capture has what was asked; ids are in the capture as they are.
 */
function readPrompt(scanner: JsonScanner | undefined): Prompts {
  const one: Prompts = { count: 1, messages: [] };
  const first = scanner?.peek();
  if (scanner === undefined || first === undefined) return one;
  if (first === 0x22) return { count: 1, messages: [userMessage(scanner.readText())] };
  if (first !== 0x5b || !scanner.firstItem()) return one;
  const item = scanner.peek();
  const isListOfPrompts = item === 0x22 || item === 0x5b;
  if (!isListOfPrompts) return one;
  let only = '';
  let count = 0;
  for (let more = true; more; more = scanner.nextItem()) {
    count += 1;
    if (count === 1) only = scanner.readText();
    else scanner.skipValue();
  }
  return { count, messages: count === 1 && item === 0x22 ? [userMessage(only)] : [] };
}

function userMessage(content: string): string {
  return `{"role":"user","content":${content}}`;
}

/**
 * Reads an agent's call before it is known which engine gets it: the plan's model and sampling parameters count over the
 * agent's.
 *
 * undefined where the body is no JSON object: there is nothing to splice into, so it is to be forwarded as it is, for the
 * engine to refuse in its own words, and to be left without a capture.
 * @throws ArtError `ART_GATEWAY_BAD_REQUEST` where the body is nested deeper than 512 levels: an engine might take it, and
 * the capture would be lost; `ART_JSON_WRITE` where a sampling parameter cannot be written as JSON.
 */
export function readCall(
  body: Uint8Array,
  { endpoint, model, samplingParams }: ReadPlan,
): ReadCall | undefined {
  const object = readBody(body);
  if (object === undefined) return undefined;
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const given = (name: string): string | undefined => {
    const member = object.byName.get(name);
    return member === undefined ? undefined : bytes.toString('utf8', member.valueStart, member.valueEnd);
  };
  const set = new Map<string, string>();
  if (model !== undefined) set.set('model', JSON.stringify(model));
  for (const [name, value] of Object.entries(samplingParams)) {
    if (value !== undefined) set.set(name, stringifyJson(value));
  }
  const value = (name: string): string | undefined => set.get(name) ?? given(name);
  const messages = set.get('messages');
  const prompts =
    endpoint === 'completions'
      ? readPrompt(scannerOf(value('prompt')))
      : {
          count: 1,
          messages:
            messages === undefined
              ? messagesAt(bytes, object.byName.get('messages')?.items ?? [])
              : readMessages(scannerOf(messages)),
        };
  const choicesEach = Number(value('n') ?? 1);
  const tools = value('tools');
  return {
    splice: (injected) => setMembers(bytes, object, new Map([...set, ...injected])),
    value,
    endpoint,
    stream: isTruthyJson(value('stream')),
    clientWants: readClientWants(given, endpoint, isTruthyJson(given('stream'))),
    promptCount: prompts.count,
    choiceCount: prompts.count * (Number.isInteger(choicesEach) && choicesEach > 0 ? choicesEach : 1),
    model: textOf(value('model')),
    messages: prompts.messages,
    tools: tools === 'null' ? undefined : tools,
    temperature: numberOf(value('temperature')),
    topP: numberOf(value('top_p')),
    ...samplingText(value, given, set),
    media: [
      ...mediaIn('messages', prompts.messages),
      ...mediaIn('input', readMessages(scannerOf(value('input')))),
    ],
    constraints: constraintsOf([...object.byName.keys(), ...set.keys()], value),
  };
}

/**
 * Makes a call ready for one kind of engine: the fields that a capture needs are spliced into the agent's own bytes.
 * Numbers, white space, field order, repeated fields and unknown fields stay as they came.
 */
export function injectCall({ splice, value, ...read }: ReadCall, plan: InjectionPlan): PreparedCall {
  const { flavour, addLogprobs, addTokenIds, stripEngineFields = true, continuation } = plan;
  const promptIds = continuation?.promptIds;
  const { endpoint, stream } = read;
  const profile = engineProfiles[flavour];
  const givesTokenIds = addTokenIds && profile.givesTokenIds(endpoint);
  return {
    ...read,
    flavour,
    body: splice(profile.inject({ endpoint, stream, addLogprobs, addTokenIds, promptIds, value })),
    stripEngineFields: stripEngineFields && profile.hasEngineFields,
    stripLogprobs: addLogprobs && profile.hasEngineFields,
    expects: { tokenIds: givesTokenIds, logprobs: givesTokenIds && addLogprobs },
    continuation,
  };
}

function readBody(body: Uint8Array): ObjectMembers | undefined {
  try {
    return objectMembers(body, 'messages');
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    if (!error.tooDeep) return undefined;
    throw new ArtError({
      code: 'ART_GATEWAY_BAD_REQUEST',
      message: `The request body is nested too deep to be captured: ${error.message}`,
      cause: error,
    });
  }
}

function scannerOf(text: string | undefined): JsonScanner | undefined {
  return text === undefined ? undefined : new JsonScanner(Buffer.from(text));
}

function textOf(text: string | undefined): string | undefined {
  if (text === undefined || !text.startsWith('"')) return undefined;
  try {
    return JSON.parse(text) as string;
  } catch {
    // An escape that JSON does not have: the engine will refuse it.
    return undefined;
  }
}

function numberOf(text: string | undefined): number | undefined {
  if (text === undefined || !/^-?\d/.test(text)) return undefined;
  return Number(text);
}

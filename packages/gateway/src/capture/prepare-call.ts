import { ArtError, stringifyJson } from '@art/protocol';
import { engineProfiles } from '../engines/engine-profiles.ts';
import {
  isTruthyJson,
  JsonScanner,
  JsonSyntaxError,
  objectMembers,
  type ObjectMembers,
  setMembers,
} from '@art/json-bytes';
import type { CallPlan, PreparedCall } from './prepared-call.ts';
import { readClientWants } from './read-client-wants.ts';
import { messagesAt, readMessages, readPrompt } from './read-prompts.ts';

/**
 * Makes an agent's call ready for the engine: the plan's model and sampling parameters over the agent's, then what the
 * engine needs to be told for a capture, spliced into the agent's own bytes. Numbers, white space, member order, repeated
 * members and unknown members stay as they came.
 *
 * undefined where the body is no JSON object: there is nothing to splice into, so it is to be forwarded as it is, for the
 * engine to refuse in its own words, and to be left without a trace.
 * @throws ArtError `ART_GATEWAY_BAD_REQUEST` where the body is nested deeper than 512 levels: an engine might take it, and
 * the capture would be lost; `ART_JSON_WRITE` where a sampling parameter cannot be written as JSON.
 */
export function prepareCall(body: Uint8Array, plan: CallPlan): PreparedCall | undefined {
  const object = readBody(body);
  if (object === undefined) return undefined;
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const given = (name: string): string | undefined => {
    const member = object.byName.get(name);
    return member === undefined ? undefined : bytes.toString('utf8', member.valueStart, member.valueEnd);
  };

  const set = new Map<string, string>();
  if (plan.model !== undefined) set.set('model', JSON.stringify(plan.model));
  for (const [name, value] of Object.entries(plan.samplingParams)) {
    if (value !== undefined) set.set(name, stringifyJson(value));
  }
  const value = (name: string): string | undefined => set.get(name) ?? given(name);

  const { endpoint, flavour, addLogprobs, addTokenIds } = plan;
  const profile = engineProfiles[flavour];
  const stream = isTruthyJson(value('stream'));
  const injected = profile.inject({ endpoint, stream, addLogprobs, addTokenIds, value });
  for (const [name, text] of injected) set.set(name, text);

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
  const givesTokenIds = addTokenIds && profile.givesTokenIds(endpoint);
  return {
    flavour,
    endpoint,
    body: setMembers(bytes, object, set),
    stream,
    clientWants: readClientWants(given, endpoint, isTruthyJson(given('stream'))),
    stripEngineFields: (plan.stripEngineFields ?? true) && profile.hasEngineFields,
    stripLogprobs: addLogprobs && profile.hasEngineFields,
    expects: { tokenIds: givesTokenIds, logprobs: givesTokenIds && addLogprobs },
    promptCount: prompts.count,
    choiceCount: prompts.count * (Number.isInteger(choicesEach) && choicesEach > 0 ? choicesEach : 1),
    model: textOf(value('model')),
    messages: prompts.messages,
    tools: tools === 'null' ? undefined : tools,
    temperature: numberOf(value('temperature')),
    topP: numberOf(value('top_p')),
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

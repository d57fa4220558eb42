import { type TokenIds, readTokenIds, readNumber, readTokenIdLists } from '../json-bytes/read-numbers.ts';
import { type ByteEdits, MemberCuts } from '../json-bytes/byte-edits.ts';
import { type JsonScanner } from '../json-bytes/json-scanner.ts';
import type { RoutedExperts, WeightVersionSpan } from '@art/trajectories';
import { type Delta, isEmptyDelta, readDelta } from './read-delta.ts';
import { type Logprobs, readLogprobs } from './read-logprobs.ts';
import {
  type Sglext,
  readMetaInfo,
  readRoutedExperts,
  readWeightVersions,
  readSglext,
  readWeightVersion,
} from './read-engine-notes.ts';
import { parseJson } from '@art/ground';
import { engineProfiles } from '../engines/engine-profiles.ts';
import type { PreparedCall } from './prepare-call.ts';
import { stripsChoiceMember, stripsReplyMember } from './client-wants.ts';

/** Content of one object (a whole reply, or an event of a stream) for one choice. */
export interface ChoicePart {
  index: number | undefined;
  /** A whole message, JSON text. */
  message: string | undefined;
  delta: Delta | undefined;
  /** Text of the completions wire: JSON without its quotes. */
  text: string | undefined;
  finishReason: string | undefined;
  /** The text, as JSON, or the token that the engine says it stopped at. */
  matchedStop: string | number | undefined;
  promptTokenIds: TokenIds | undefined;
  tokenIds: TokenIds | undefined;
  logprobs: Logprobs | undefined;
  weightVersion: string | undefined;
  weightVersions: readonly WeightVersionSpan[];
  routedExperts: RoutedExperts | undefined;
  routingMatrices: readonly string[] | undefined;
  /** True if it was sent only to carry ids that are taken out. */
  isIdsOnly: boolean;
}

/** Content of one object: a whole reply, or an event of a stream. */
export interface ReplyPart {
  model: string | undefined;
  /** Ids at the top, a list for each prompt. */
  promptTokenIds: readonly TokenIds[] | undefined;
  /** undefined where there is no such field. */
  choices: readonly ChoicePart[] | undefined;
  usage: { prompt: number | undefined; completion: number | undefined } | undefined;
  weightVersion: string | undefined;
  weightVersions: readonly WeightVersionSpan[];
  sglext: Sglext | undefined;
  /** The error in place of an answer, JSON text. */
  error: string | undefined;
  /** True if the event holds nothing for the agent once it is stripped. */
  isForGateway: boolean;
}

/** Reads an item of `choices`, goes past it, and notes what is to be cut from it. undefined where it is no object. */
function readChoice(scanner: JsonScanner, call: PreparedCall, edits: ByteEdits): ChoicePart | undefined {
  if (scanner.skipUnlessObject()) return undefined;
  const part: ChoicePart = {
    index: undefined,
    message: undefined,
    delta: undefined,
    text: undefined,
    finishReason: undefined,
    matchedStop: undefined,
    promptTokenIds: undefined,
    tokenIds: undefined,
    logprobs: undefined,
    weightVersion: undefined,
    weightVersions: [],
    routedExperts: undefined,
    routingMatrices: undefined,
    isIdsOnly: false,
  };
  const assumed = engineProfiles[call.flavour].routedExperts;
  const cuts = new MemberCuts(edits);
  for (let more = scanner.firstMember(); more; more = scanner.nextMember()) {
    cuts.begin(scanner.keyStart);
    const name = scanner.key();
    switch (name) {
      case 'index': {
        const index = Number(scanner.readText());
        if (Number.isInteger(index) && index >= 0) part.index = index;
        break;
      }
      case 'message':
        part.message = scanner.skipUnlessObject() ? undefined : scanner.readText();
        break;
      case 'delta':
        part.delta = readDelta(scanner);
        break;
      case 'text':
        part.text = readPiece(scanner);
        break;
      case 'finish_reason':
        // Some engines write an empty text where others write null.
        part.finishReason = scanner.readString() || undefined;
        break;
      case 'stop_reason':
      case 'matched_stop': {
        // vLLM's name and SGLang's.
        const stop = scanner.readText();
        if (stop.startsWith('"')) part.matchedStop = stop;
        else if (/^\d+$/.test(stop)) part.matchedStop = Number(stop);
        break;
      }
      case 'token_ids':
      case 'response_token_ids':
        // The second is SGLang's own name for the first; null in one says nothing of the other.
        part.tokenIds = readTokenIds(scanner) ?? part.tokenIds;
        break;
      case 'prompt_token_ids':
        part.promptTokenIds = readTokenIds(scanner);
        break;
      case 'logprobs':
        part.logprobs = readLogprobs(scanner) ?? part.logprobs;
        break;
      case 'meta_info': {
        const info = readMetaInfo(scanner, assumed);
        part.weightVersion = info.weightVersion;
        part.weightVersions = info.weightVersions ?? part.weightVersions;
        part.routedExperts ??= info.routedExperts;
        // Both lists are of the same tokens; this one has their ids too.
        if (part.logprobs?.tokenIds === undefined) part.logprobs = info.logprobs ?? part.logprobs;
        break;
      }
      case 'weight_versions':
        part.weightVersions = readWeightVersions(scanner);
        break;
      case 'routed_experts':
        part.routedExperts = readRoutedExperts(scanner, assumed);
        break;
      case 'routing_matrices':
        part.routingMatrices = readTexts(scanner);
        break;
      default:
        scanner.skipValue();
    }
    cuts.end(scanner.at, isCut(name, call));
  }
  cuts.finish();
  part.isIdsOnly =
    call.stripEngineFields &&
    !call.clientWants.tokenIds &&
    !(call.clientWants.logprobs && part.logprobs !== undefined) &&
    (part.tokenIds?.values.length ?? 0) > 0 &&
    part.finishReason === undefined &&
    part.text === undefined &&
    isEmptyDelta(part.delta);
  return part;
}

function isCut(name: string, call: PreparedCall): boolean {
  if (call.stripEngineFields) return stripsChoiceMember(name, call.clientWants);
  return call.stripLogprobs === true && name === 'logprobs' && !call.clientWants.logprobs;
}

function readPiece(scanner: JsonScanner): string | undefined {
  if (scanner.peek() !== 0x22) {
    scanner.skipValue();
    return undefined;
  }
  const start = scanner.at;
  scanner.skipString();
  return scanner.bytes.toString('utf8', start + 1, scanner.at - 1);
}

function readTexts(scanner: JsonScanner): readonly string[] | undefined {
  if (scanner.skipUnlessArray()) return undefined;
  const items = parseJson(scanner.readText());
  return Array.isArray(items) && items.every((item) => typeof item === 'string') ? items : undefined;
}

/**
 * Reads an engine's object, a whole reply or an event of a stream, and notes what is to be cut from it for the agent: one
 * pass over the bytes for both. undefined where it is JSON of another kind.
 * @throws JsonSyntaxError
 */
export function readReply(scanner: JsonScanner, call: PreparedCall, edits: ByteEdits): ReplyPart | undefined {
  if (scanner.skipUnlessObject()) {
    scanner.finish();
    return undefined;
  }
  const part: ReplyPart = {
    model: undefined,
    promptTokenIds: undefined,
    choices: undefined,
    usage: undefined,
    weightVersion: undefined,
    weightVersions: [],
    sglext: undefined,
    error: undefined,
    isForGateway: false,
  };
  let object: string | undefined;
  const start = scanner.at;
  const cuts = new MemberCuts(edits);
  for (let more = scanner.firstMember(); more; more = scanner.nextMember()) {
    cuts.begin(scanner.keyStart);
    const name = scanner.key();
    switch (name) {
      case 'model':
        part.model = scanner.readString();
        break;
      case 'object':
        object = scanner.readString();
        break;
      case 'choices':
        part.choices = readChoices(scanner, call, edits);
        break;
      case 'prompt_token_ids':
        part.promptTokenIds = readTokenIdLists(scanner);
        break;
      case 'usage':
        part.usage = readUsage(scanner);
        break;
      case 'weight_version':
        part.weightVersion = readWeightVersion(scanner) ?? part.weightVersion;
        break;
      case 'weight_versions':
        part.weightVersions = readWeightVersions(scanner);
        break;
      case 'metadata': {
        const info = readMetaInfo(scanner, 'unknown');
        part.weightVersion ??= info.weightVersion;
        part.weightVersions = info.weightVersions ?? part.weightVersions;
        break;
      }
      case 'sglext':
        part.sglext = readSglext(scanner, call, edits);
        break;
      case 'error':
        if (!scanner.skipNull()) part.error = scanner.readText();
        break;
      default:
        scanner.skipValue();
    }
    const isCut =
      name === 'sglext'
        ? part.sglext?.isStripped === true
        : call.stripEngineFields && stripsReplyMember(name, call.clientWants);
    cuts.end(scanner.at, isCut);
  }
  cuts.finish();
  if (object === 'error') part.error ??= scanner.bytes.toString('utf8', start, scanner.at);
  scanner.finish();
  part.isForGateway = isForGateway(part, call);
  return part;
}

function readChoices(
  scanner: JsonScanner,
  call: PreparedCall,
  edits: ByteEdits,
): readonly ChoicePart[] | undefined {
  if (scanner.skipUnlessArray()) return undefined;
  const choices: ChoicePart[] = [];
  for (let more = scanner.firstItem(); more; more = scanner.nextItem()) {
    const choice = readChoice(scanner, call, edits);
    if (choice !== undefined) choices.push(choice);
  }
  return choices;
}

function readUsage(scanner: JsonScanner): ReplyPart['usage'] {
  if (scanner.skipUnlessObject()) return undefined;
  const usage: NonNullable<ReplyPart['usage']> = { prompt: undefined, completion: undefined };
  for (let more = scanner.firstMember(); more; more = scanner.nextMember()) {
    if (scanner.keyIs('prompt_tokens')) usage.prompt = count(readNumber(scanner));
    else if (scanner.keyIs('completion_tokens')) usage.completion = count(readNumber(scanner));
    else scanner.skipValue();
  }
  return usage;
}

function count(value: number): number | undefined {
  return Number.isInteger(value) && value >= 0 ? value : undefined;
}

// Events that exist only because the gateway asked for ids or counts: without it the agent would not have got them.
function isForGateway(part: ReplyPart, call: PreparedCall): boolean {
  const { choices, usage, sglext } = part;
  if (!call.stripEngineFields || choices === undefined || part.error !== undefined) return false;
  if (usage !== undefined && call.clientWants.usage) return false;
  if (sglext !== undefined && !sglext.isStripped) return false;
  if (choices.length === 0) return usage !== undefined || sglext !== undefined;
  return choices.every((choice) => choice.isIdsOnly);
}

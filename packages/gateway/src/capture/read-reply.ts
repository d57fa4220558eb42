import { type ByteEdits, type JsonScanner, MemberCuts, readNumber, readTokenIdLists } from '@art/json-bytes';
import type { PreparedCall } from './prepare-call.ts';
import { readChoice, type ChoicePart, type ReplyPart } from './read-choice.ts';
import { readMetaInfo, readSglext, readWeightVersion, readWeightVersions } from './read-engine-notes.ts';
import { stripsReplyMember } from './client-wants.ts';

/**
 * Reads an engine's object, a whole reply or an event of a stream, and notes what is to be cut from it for the agent: one
 * pass over the bytes for both. undefined where it is JSON of another kind.
 * @throws JsonSyntaxError
 */
export function readReply(scanner: JsonScanner, call: PreparedCall, edits: ByteEdits): ReplyPart | undefined {
  if (scanner.peek() !== 0x7b) {
    scanner.skipValue();
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
  if (scanner.peek() !== 0x5b) {
    scanner.skipValue();
    return undefined;
  }
  const choices: ChoicePart[] = [];
  for (let more = scanner.firstItem(); more; more = scanner.nextItem()) {
    const choice = readChoice(scanner, call, edits);
    if (choice !== undefined) choices.push(choice);
  }
  return choices;
}

function readUsage(scanner: JsonScanner): ReplyPart['usage'] {
  if (scanner.peek() !== 0x7b) {
    scanner.skipValue();
    return undefined;
  }
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

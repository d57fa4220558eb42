import {
  type ByteEdits,
  type JsonScanner,
  MemberCuts,
  readTokenIdLists,
  readTokenIds,
  type TokenIds,
} from '@art/json-bytes';
import type { RoutedExperts } from '@art/trajectories';
import { readRoutedExperts } from './read-routed-experts.ts';
import type { PreparedCall } from './prepared-call.ts';
import { stripsSglextMember } from './strip-rules.ts';

/** SGLang's `sglext`: ids and more of the whole reply, in a stream once, in an event before the last. */
export interface Sglext {
  inputIds: TokenIds | undefined;
  /** One for each choice. */
  outputIds: readonly TokenIds[] | undefined;
  routedExperts: RoutedExperts | undefined;
  /** Whether nothing of it is for the agent. */
  isStripped: boolean;
}

/** Reads `sglext`, goes past it, and notes what is to be cut in it. undefined where it is no object. */
export function readSglext(scanner: JsonScanner, call: PreparedCall, edits: ByteEdits): Sglext | undefined {
  if (scanner.peek() !== 0x7b) {
    scanner.skipValue();
    return undefined;
  }
  const sglext: Sglext = {
    inputIds: undefined,
    outputIds: undefined,
    routedExperts: undefined,
    isStripped: false,
  };
  const cuts = new MemberCuts(edits);
  let cutsSome = false;
  let keepsSome = false;
  for (let more = scanner.firstMember(); more; more = scanner.nextMember()) {
    cuts.begin(scanner.keyStart);
    const name = scanner.key();
    // Members that are not set are written as null by some releases, and are nothing to keep the object for.
    const isNull = scanner.peek() === 0x6e;
    if (name === 'input_ids') sglext.inputIds = readTokenIds(scanner);
    else if (name === 'output_ids') sglext.outputIds = readTokenIdLists(scanner);
    else if (name === 'routed_experts') sglext.routedExperts = readRoutedExperts(scanner, 'int32_base64');
    else scanner.skipValue();
    const isCut = call.stripEngineFields && stripsSglextMember(name, call.clientWants);
    cuts.end(scanner.at, isCut);
    if (isCut) cutsSome = true;
    else if (!isNull) keepsSome = true;
  }
  cuts.finish();
  sglext.isStripped = cutsSome && !keepsSome;
  return sglext;
}

import { isTruthyJson, objectMembers, setMembers } from '@art/json-bytes';
import type { InjectionRequest } from './engine-profile.ts';

/** Asks for the token counts at the end of a stream: they show whether a token was lost on the way. */
export function injectUsage(request: InjectionRequest, members: Map<string, string>): void {
  const isCaptured = request.addLogprobs || request.addTokenIds;
  if (!request.stream || !isCaptured) return;
  const given = request.value('stream_options');
  if (given === undefined || given === 'null') {
    members.set('stream_options', '{"include_usage":true}');
    return;
  }
  const bytes = Buffer.from(given);
  const object = objectMembers(bytes);
  // Something else than an object is the agent's mistake, and the engine's to refuse.
  if (object === undefined) return;
  const member = object.byName.get('include_usage');
  const asks = member !== undefined && bytes.toString('utf8', member.valueStart, member.valueEnd);
  if (asks !== false && isTruthyJson(asks)) return;
  members.set('stream_options', setMembers(bytes, object, new Map([['include_usage', 'true']])).toString());
}

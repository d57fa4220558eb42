import { isSessionId } from '@art/protocol';

/** The session whose result a key is for, by its last part: `{exp_id}/{input_id}/{session_id}.json`. */
export function sessionIdOfKey(key: string): string | undefined {
  const name = key.slice(key.lastIndexOf('/') + 1);
  const sessionId = name.endsWith('.json') ? name.slice(0, -'.json'.length) : name;
  return isSessionId(sessionId) ? sessionId : undefined;
}

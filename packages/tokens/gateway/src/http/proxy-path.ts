/** Endpoint of a path of the model API. `other` is passed on untouched. */
export type ProxyEndpoint = 'chat' | 'completions' | 'responses' | 'messages' | 'count_tokens' | 'other';

/** True if a call of an endpoint samples tokens, so that it is a turn of its session. */
export function isTurn(endpoint: ProxyEndpoint): boolean {
  return endpoint !== 'count_tokens' && endpoint !== 'other';
}

/** A path of the model API, taken apart. */
export interface ProxyTarget {
  /** From `/sessions/{sid}/v1`, decoded. */
  sessionId: string | undefined;
  endpoint: ProxyEndpoint;
  /** The path behind `/v1`, as it was sent: `/chat/completions`, or nothing. */
  tail: string;
  /** With its `?`, or nothing. */
  query: string;
}

// Searched, not anchored, and non-greedy, as trainers' URLs are read elsewhere: ids may hold `/` and `:`, and the gateway may
// be mounted below another path. `ng-rollout` is how NeMo-Gym spells it.
const sessionPath = /\/(?:sessions|ng-rollout)\/(.+?)(\/v1(?:\/.*)?)$/;
// The Anthropic SDK appends `/v1/messages` itself, the OpenAI SDK expects `/v1` in its base URL; with one base URL for both
// one of them doubles or misses it.
const bareSessionPath =
  /\/(?:sessions|ng-rollout)\/(.+?)(\/(?:chat\/completions|completions|responses|messages(?:\/count_tokens)?))$/;
const apiPath = /^\/v1(?:\/|$)/;
const barePath = /^\/(?:chat\/completions|completions|responses|messages(?:\/count_tokens)?)\/?$/;

const endpoints: Record<string, ProxyEndpoint> = {
  '/chat/completions': 'chat',
  '/completions': 'completions',
  '/responses': 'responses',
  '/messages': 'messages',
  '/messages/count_tokens': 'count_tokens',
};

/** @returns undefined where the URL is none of the model API. @throws URIError where a session id is ill-encoded */
export function parseProxyPath(url: string, method: string): ProxyTarget | undefined {
  const cut = url.indexOf('?');
  const path = cut === -1 ? url : url.slice(0, cut);
  const query = cut === -1 ? '' : url.slice(cut);
  if (apiPath.test(path)) return target(undefined, path, query);
  const session = sessionPath.exec(path) ?? (method === 'POST' ? bareSessionPath.exec(path) : null);
  if (session !== null) return target(decodeURIComponent(session[1]!), session[2]!, query);
  if (method === 'POST' && barePath.test(path)) return target(undefined, path, query);
  return undefined;
}

function target(sessionId: string | undefined, path: string, query: string): ProxyTarget {
  let tail = path;
  while (apiPath.test(tail)) tail = tail.slice(3);
  const name = tail.endsWith('/') ? tail.slice(0, -1) : tail;
  const endpoint = endpoints[name] ?? 'other';
  return { sessionId, endpoint, tail: endpoint === 'other' ? tail : name, query };
}

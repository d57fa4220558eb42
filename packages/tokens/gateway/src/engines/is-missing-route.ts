import { readEngineError } from './engine-error.ts';

// What a server with the route may not find, in its words or as the beginning of its error code.
const namesThing =
  /\b(?:model|models|previous response|response|conversation|prompt|item|container|vector store)\b|\bfile-\w/i;
const namesRoute =
  /\b(?:invalid|unknown|unrecognized)(?: request)? url\b|\bno (?:such )?route\b|\bcannot post\b/i;

/**
 * True if an engine's answer to a POST says that it has no such route, rather than that it refused the call. 405 and
 * 501 say so. A 404 says so too, unless a server with the route does not know the model or an earlier response: then it
 * is the agent's answer. A 404 without such words counts as a missing route, as the call can still succeed another way.
 */
export function isMissingRoute(reply: { status: number; body: Uint8Array }): boolean {
  switch (reply.status) {
    case 405:
    case 501:
      return true;
    case 404: {
      // Without one it is a page, as web servers have for paths that they do not know.
      const words = (readEngineError(reply.body)?.texts ?? []).join(' ').replaceAll('_', ' ');
      return namesRoute.test(words) || !namesThing.test(words);
    }
    default:
      return false;
  }
}

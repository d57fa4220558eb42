import { exportTarget } from '../control/row-export.ts';

const routes = /^\/(sessions|trajectories)\/(.+?)\/?$/s;

/**
 * The session that a control request is about, if it is about one; read as the routes read it that answer.
 * @throws URIError where the id is ill-encoded
 */
export function controlSession(method: string, url: string): string | undefined {
  const match = routes.exec(url.split('?', 1)[0]!);
  if (match === null) return undefined;
  const [, kind, path] = match as unknown as [string, string, string];
  const rest = decodeURIComponent(path);
  if (kind === 'sessions' && method === 'POST' && rest === 'batch_delete') return undefined;
  if (kind === 'trajectories' && method === 'POST') return without(rest, '/finish');
  if (method !== 'GET') return rest;
  return exportTarget(rest)?.sessionId ?? (kind === 'sessions' ? without(rest, '/traces') : rest);
}

function without(text: string, suffix: string): string {
  return text.endsWith(suffix) && text.length > suffix.length ? text.slice(0, -suffix.length) : text;
}

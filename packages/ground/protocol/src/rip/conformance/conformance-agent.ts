const counts = new Map<unknown, number>();
const releases = new Map<unknown, PromiseWithResolvers<void>>();

/** Whichever comes first, the one that waits or the one that lets it go. */
function release(key: unknown): PromiseWithResolvers<void> {
  const known = releases.get(key) ?? Promise.withResolvers<void>();
  releases.set(key, known);
  return known;
}

/**
 * The agent that the checks talk to: what its handler does is said by the member `do` of the payload. It is small, so that it
 * can be written again for a server in another language; the README of this package has it in words.
 */
export async function conformanceAgent(payload: Record<string, unknown>): Promise<unknown> {
  const { do: action, value, until, message, key } = payload;
  if (until !== undefined) await release(until).promise;
  switch (action) {
    case 'echo':
      return payload;
    case 'value':
      return value;
    case 'release':
      release(key).resolve();
      return null;
    case 'count': {
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return count;
    }
    case 'fail':
      throw new Error(String(message));
    case 'nan':
      return { deep: [Number.NaN] };
    case 'circular': {
      const list: unknown[] = [];
      list.push(list);
      return list;
    }
    default:
      throw new Error(`Unknown action ${JSON.stringify(action)}`);
  }
}

import { setTimeout as sleep } from 'node:timers/promises';

const counts = new Map<unknown, number>();

/**
 * The agent that the checks talk to: what its handler does is said by the member `do` of the payload. It is small, so that it
 * can be written again for a server in another language; the README of this package has it in words.
 */
export async function conformanceAgent(payload: Record<string, unknown>): Promise<unknown> {
  const { do: action, value, ms, message, key } = payload;
  switch (action) {
    case 'echo':
      return payload;
    case 'value':
      return value;
    case 'sleep':
      await sleep(Number(ms));
      return value;
    case 'count': {
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      await sleep(Number(ms ?? 0));
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

import type { Trace } from '@art/trajectories';
import { InvalidField } from './invalid-field.ts';
import type { RouteContext } from './route-context.ts';
import { traceRange } from './trace-range.ts';

/**
 * A session's traces, oldest first, as a reader asks for them: `since`, `limit` and `choices`. With `first` a call that asked
 * for several choices has one trace, that of its first choice; `limit` counts what is left then.
 * @throws InvalidField
 */
export async function readTraces(
  { store, options }: Pick<RouteContext, 'store' | 'options'>,
  sessionId: string,
  query: Readonly<Record<string, unknown>>,
): Promise<Trace[]> {
  const { sinceMs, limit } = traceRange(query['since'], query['limit']);
  const choices = query['choices'] ?? options.traceChoices;
  if (choices === 'all') return await store.tracesOf(sessionId, { sinceMs, limit });
  if (choices !== 'first') throw new InvalidField('choices', 'all or first', choices);
  const traces = await store.tracesOf(sessionId, { sinceMs });
  return traces.filter(({ choiceIndex }) => choiceIndex === 0).slice(0, limit);
}

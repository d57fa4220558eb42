import { cutLine } from './cut-line.ts';

const mostNamed = 5;

/** The first of what may be many ids, in a sentence. */
export function firstIds(ids: readonly string[]): string {
  const named = ids.slice(0, mostNamed).map((id) => cutLine(id));
  return [...named, ...(ids.length > mostNamed ? ['...'] : [])].join(', ');
}

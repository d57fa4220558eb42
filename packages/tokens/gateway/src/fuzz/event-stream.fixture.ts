import type { Dice } from './dice.fixture.ts';
import type { SpelledJson } from './spelled-json.fixture.ts';

/** How a server writes its events. */
export interface EventStyle {
  lineEnd: '\n' | '\r\n' | '\r';
  prefix: 'data:' | 'data: ';
  hasBom: boolean;
  hasDone: boolean;
  /** Comments, ids, other fields, keep-alives. */
  noise: number;
}

export function anyStyle(dice: Dice, oddity: number): EventStyle {
  const isOdd = (): boolean => dice.chance(oddity);
  return {
    lineEnd: isOdd() ? dice.pick(['\n', '\r\n', '\r']) : '\n',
    prefix: isOdd() ? 'data:' : 'data: ',
    hasBom: isOdd(),
    hasDone: !isOdd(),
    noise: isOdd() ? 0.3 : 0,
  };
}

/** An event between two objects that are data. */
export type StreamedEvent =
  | { kind: 'noise' | 'done'; text: string }
  | { kind: 'data'; text: string; json: SpelledJson };

/** The events as text, each with its blank line. A text of several lines becomes as many data lines. */
export function streamOf(objects: readonly SpelledJson[], style: EventStyle, dice: Dice): StreamedEvent[] {
  const { lineEnd, prefix, noise } = style;
  const events: StreamedEvent[] = [];
  const sometimes = (lines: readonly string[]): string =>
    dice.chance(noise) ? `${dice.pick(lines)}${lineEnd}` : '';
  for (const json of objects) {
    if (dice.chance(noise)) {
      const text = dice.pick([`: ping${lineEnd}${lineEnd}`, `event: ping${lineEnd}${lineEnd}`, lineEnd]);
      events.push({ kind: 'noise', text });
    }
    const data = json
      .text()
      .split('\n')
      .map((line) => `${prefix}${line}${lineEnd}`)
      .join('');
    const before = sometimes([': c', 'event: message', 'id: 7', 'retry: 5', 'dat: x', 'datax: {}']);
    const after = sometimes([': data: {}', 'id', 'other']);
    events.push({ kind: 'data', text: `${before}${data}${after}${lineEnd}`, json });
  }
  if (style.hasDone) events.push({ kind: 'done', text: `${prefix}[DONE]${lineEnd}${lineEnd}` });
  return events;
}

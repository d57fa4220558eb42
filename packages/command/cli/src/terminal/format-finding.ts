import type { Finding } from '@art/doctor';
import type { Paint } from './paint.ts';

const marks = { ok: 'ok', warning: 'WARNING', fault: 'FAULT', skipped: 'skipped' } as const;
const colours = { ok: 'green', warning: 'yellow', fault: 'red', skipped: 'dim' } as const;

/** Figures are worth a look also where nothing is wrong: how long the start took. */
const figures = /\d (ms|MB)$/;

/** Formats a finding. One that only follows from a fault is left out: the fault says what to do. */
export function formatFinding(
  { id, title, verdict, seen, isNews = false, because, why, todo }: Finding,
  paint: Paint,
): string {
  if (because !== undefined) return '';
  const mark = paint(colours[verdict], marks[verdict].padEnd(8));
  const measured = verdict === 'ok' && figures.test(seen) ? `${seen}  ` : '';
  const line = `${mark}${title}  ${measured}${paint('dim', id)}\n`;
  if (verdict === 'ok' && !isNews) return line;
  const shown = `        seen  ${seen.replaceAll('\n', '\n              ')}\n`;
  return verdict === 'skipped' || verdict === 'ok'
    ? line + shown
    : `${line}${shown}        why   ${why}\n        do    ${todo}\n`;
}

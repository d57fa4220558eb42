import { figure } from '@art/eval';

/** `0.734`, or `unknown`: what was not measured is no 0. */
export function knownFigure(value: number | null | undefined): string {
  return typeof value === 'number' ? figure(value) : 'unknown';
}

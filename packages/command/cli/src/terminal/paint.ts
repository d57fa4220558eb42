import { styleText } from 'node:util';
import type { OutputStream } from '../cli-context.ts';

export type PaintStyle = Parameters<typeof styleText>[0];

/** Colours a text, or gives it back as it is. */
export type Paint = (style: PaintStyle, text: string) => string;

/**
 * Colours for a stream: on a terminal, unless NO_COLOR is set (https://no-color.org). FORCE_COLOR decides before both, as
 * it does for Node itself.
 */
export function createPaint(stream: OutputStream, env: Record<string, string | undefined>): Paint {
  return hasColours(stream, env)
    ? (style, text) => styleText(style, text, { validateStream: false })
    : (_, text) => text;
}

export function hasColours(stream: OutputStream, env: Record<string, string | undefined>): boolean {
  const { NO_COLOR: no, FORCE_COLOR: force } = env;
  if (force !== undefined) return force !== '0' && force !== 'false';
  if (no !== undefined && no !== '') return false;
  return stream.isTTY === true;
}

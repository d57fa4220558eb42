import { withoutEnd } from './without-end.ts';

/**
 * The one spelling of a decimal number: `1,000.50` and `$1000.5` are both `1000.5`, `-0` is `0`. Undefined for
 * anything else. Works on digits and not on floats, so that numbers past 2^53 which differ stay different.
 */
export function canonicalDecimal(text: string): string | undefined {
  const parts = /^(-?)(\d*)(?:\.(\d*))?\.*$/.exec(text.trim().replaceAll(/[,$]/g, ''));
  const [, sign = '', whole = '', fraction = ''] = parts ?? [];
  if (whole === '' && fraction === '') return undefined;
  const integerDigits = whole.replace(/^0+/, '') || '0';
  const fractionDigits = withoutEnd(fraction, '0');
  const digits = fractionDigits === '' ? integerDigits : `${integerDigits}.${fractionDigits}`;
  return digits === '0' ? '0' : sign + digits;
}

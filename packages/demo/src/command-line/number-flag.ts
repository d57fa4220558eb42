import { refuseFlag } from './refuse-flag.ts';

/** Reads the number given for a flag, bounds included. @throws ArtError `ART_INVALID_OPTION` */
export function numberFlag(
  name: string,
  text: string,
  range: { min: number; max: number; integer?: boolean },
): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  const { min, max, integer = false } = range;
  if (value >= min && value <= max && (!integer || Number.isInteger(value))) return value;
  refuseFlag(name, `${integer ? 'an integer' : 'a number'} from ${min} to ${max}`, text);
}

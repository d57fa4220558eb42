import { refuseOption } from '@art/protocol';

/** An option that must be a finite number. @throws ArtError `ART_INVALID_OPTION` */
export function finiteOption(name: string, value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value)
    ? value
    : refuseOption(name, 'a finite number', value);
}

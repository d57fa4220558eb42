import { sayMissing } from '@art/tooling/say-missing';
import { beforeEach } from 'vitest';
import { findPython } from './find-python.ts';

const python = await findPython();
const reason = 'no Python 3.11 or newer on the PATH';
if (python === undefined) sayMissing(`${reason}, so what a trainer does in Python is not tested`);

/** For files whose tests need an interpreter and no packages: skips them where there is none. @returns its path */
export function usePlainPython(): string {
  beforeEach(({ skip }) => {
    if (python === undefined) skip(reason);
  });
  return python?.executable ?? '';
}

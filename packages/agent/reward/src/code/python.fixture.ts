import { sayMissing } from '@art/tooling/say-missing';
import { findInterpreter } from './interpreter.ts';

/** The Python that tests are judged by; undefined where this machine has none. */
export const python = await findInterpreter('python', undefined, 512e6).catch(() => undefined);

if (python === undefined) sayMissing('no python3 on the PATH, so rewards by tests in Python are not tested');

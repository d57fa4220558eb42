import { join } from 'node:path';

/** Where `art_collect.py` is, for `PYTHONPATH`; one level up from the sources as from the build. */
export const pythonFolder = join(import.meta.dirname, '..', 'python');

import { inject } from 'vitest';

const python = inject('python');

/** For `describe.skipIf`: true where the Python packages are not to be had, which happens outside CI only. */
export const isPythonMissing = python.kind === 'missing';

/** The interpreter that has them; empty where they are missing. */
export const pythonExecutable = python.kind === 'ready' ? python.executable : '';

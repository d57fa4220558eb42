import { inject } from 'vitest';

const python = inject('sagemakerPython');

/** For `describe.skipIf`: true where the Python packages are not to be had, which happens outside CI only. */
export const isSageMakerPythonMissing = python.kind === 'missing';

/** The interpreter that has AWS's decorator and boto3; empty where they are missing. */
export const sagemakerPython = python.kind === 'ready' ? python.executable : '';

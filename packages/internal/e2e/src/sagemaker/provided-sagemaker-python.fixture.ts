import { sayMissing } from '@art/tooling/say-missing';
import { inject } from 'vitest';

const python = inject('sagemakerPython');
if (python.kind === 'missing') sayMissing(`${python.reason}: what needs that is not tested`);

/** For `describe.skipIf`: true where the Python packages are not to be had. */
export const isSageMakerPythonMissing = python.kind === 'missing';

/** The interpreter that has AWS's decorator and boto3; empty where they are missing. */
export const sagemakerPython = python.kind === 'ready' ? python.executable : '';

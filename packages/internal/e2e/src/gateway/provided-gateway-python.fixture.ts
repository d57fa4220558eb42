import { sayMissing } from '@art/tooling/say-missing';
import { inject } from 'vitest';

const python = inject('gatewayPython');
if (python.kind === 'missing') sayMissing(`${python.reason}: what needs that is not tested`);

/** For `describe.skipIf`: true where the Python packages are not to be had. */
export const isPythonMissing = python.kind === 'missing';

/** The interpreter that has them; empty where they are missing. */
export const pythonExecutable = python.kind === 'ready' ? python.executable : '';

/** Where rllm-model-gateway's source package is unpacked; empty where it is missing. */
export const peerSources = python.kind === 'ready' ? python.sources : '';

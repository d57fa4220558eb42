import { inject } from 'vitest';

const python = inject('gatewayPython');

/** For `describe.skipIf`: true where the Python packages are not to be had, which happens outside CI only. */
export const isPythonMissing = python.kind === 'missing';

/** The interpreter that has them; empty where they are missing. */
export const pythonExecutable = python.kind === 'ready' ? python.executable : '';

/** Where rllm-model-gateway's source package is unpacked; empty where it is missing. */
export const peerSources = python.kind === 'ready' ? python.sources : '';

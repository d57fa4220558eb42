import { join } from 'node:path';
import type { PythonPackages } from '@art/e2e/python-environment';

/** Packages of the gateway in Python. */
export const gatewayPackages: PythonPackages = {
  requirementsFile: join(import.meta.dirname, 'requirements.txt'),
  probe: 'rllm_model_gateway',
};

import { join } from 'node:path';
import type { PythonPackages } from '@art/e2e/python-environment';

/** What the gateway in Python needs. */
export const gatewayPackages: PythonPackages = {
  requirementsFile: join(import.meta.dirname, 'requirements.txt'),
  probe: 'rllm_model_gateway',
};

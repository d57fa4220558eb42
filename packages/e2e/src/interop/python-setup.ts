import type { TestProject } from 'vitest/node';
import { preparePython, type PythonEnvironment } from './python-environment.ts';

declare module 'vitest' {
  interface ProvidedContext {
    python: PythonEnvironment;
  }
}

/** Runs once before all test files, so that they cannot race for the environment. */
export default async function setup(project: TestProject): Promise<void> {
  const python = await preparePython();
  if (python.kind === 'missing') {
    const message = `Tests against the Python toolkit cannot run: ${python.reason}.`;
    if ((process.env['CI'] ?? '') !== '') throw new Error(message);
    console.warn(`SKIPPED: ${message}`);
  }
  project.provide('python', python);
}

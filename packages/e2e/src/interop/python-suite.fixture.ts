import { describe, inject } from 'vitest';

/** A suite that needs the published Python packages; skipped where there is no Python, which only happens outside CI. */
export function describePython(name: string, suite: (executable: string) => void): void {
  const python = inject('python');
  const executable = python.kind === 'ready' ? python.executable : '';
  describe.skipIf(python.kind === 'missing')(name, () => suite(executable));
}

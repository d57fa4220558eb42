import type { AppliedOperation } from '@art/training-stand-in';

/** Optimizer steps that a saved state has had, by the journal of the service: those of its session, and of the state that this one loaded. */
export function stepLineage(
  journal: readonly AppliedOperation[],
  state: string,
): { steps: number; violations: string[] } {
  const save = journal.findLast(
    ({ kind, modelPackageArn }) => kind === 'saveState' && modelPackageArn === state,
  );
  if (save === undefined) return { steps: 0, violations: [`the service never saved ${state}`] };
  const before = journal.filter(
    ({ session, sequenceNumber }) => session === save.session && sequenceNumber < save.sequenceNumber,
  );
  const made = before
    .map(({ kind }) => kind)
    .filter((kind) => kind === 'forwardBackward' || kind === 'optimizerStep');
  const steps = made.length / 2;
  const isInPairs = made.every((kind, at) => kind === (at % 2 === 0 ? 'forwardBackward' : 'optimizerStep'));
  const violations = isInPairs && Number.isInteger(steps) ? [] : [`${save.session} made ${made.join(', ')}`];
  const loaded = before.find(({ kind }) => kind === 'loadState')?.modelPackageArn;
  if (loaded === undefined) return { steps, violations };
  const earlier = stepLineage(journal, loaded);
  return { steps: earlier.steps + steps, violations: [...earlier.violations, ...violations] };
}

/**
 * Faults in each session's journal that no order of kills may leave: a number that was left out, or an operation that was applied twice.
 */
export function appliedTwice(journal: readonly AppliedOperation[]): string[] {
  const violations: string[] = [];
  for (const [session, operations] of Map.groupBy(journal, (operation) => operation.session)) {
    const numbers = operations.map(({ sequenceNumber }) => sequenceNumber);
    if (numbers.some((number, at) => number !== at + 1))
      violations.push(`${session} applied ${numbers.join()}`);
  }
  if (new Set(journal.map(({ clientToken }) => clientToken)).size !== journal.length)
    violations.push('an operation was applied twice');
  return violations;
}

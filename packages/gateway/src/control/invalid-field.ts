import { describeValue } from '@art/protocol';

/** A field of a control request is not what it has to be. Answered with 422, as Python's servers do. */
export class InvalidField extends Error {
  readonly field: string;

  constructor(field: string, expected: string, got: unknown) {
    super(`Expected ${field} to be ${expected}, got ${describeValue(got)}.`);
    this.name = 'InvalidField';
    this.field = field;
  }
}

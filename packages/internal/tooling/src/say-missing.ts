/** How the report finds what is said here: such a line is repeated at the end of `npm test`. */
export const missingMark = 'SKIPPED: ';

/**
 * Says that tests are skipped, since this machine lacks a part that they need.
 * @param what the part, and what is not tested without it
 */
export function sayMissing(what: string): void {
  console.warn(`${missingMark}${what}`);
}

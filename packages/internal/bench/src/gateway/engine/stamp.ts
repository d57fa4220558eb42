const digits = 16;
const pattern = /@(\d{16})@/g;

/** The time as a text that a token's event carries: microseconds of the clock that all processes of a machine share. */
export function stampNow(): string {
  return `@${microsecondsNow().toString().padStart(digits, '0')}@`;
}

/** How long ago each stamp in the text was made, in milliseconds. */
export function stampAges(text: string, nowMicroseconds: number): number[] {
  return Array.from(text.matchAll(pattern), ([, stamp]) => (nowMicroseconds - Number(stamp)) / 1_000);
}

export function microsecondsNow(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}

/** An exact number: `n / d` in lowest terms, `d` above 0. */
export interface Rational {
  readonly n: bigint;
  readonly d: bigint;
}

/** Longer numbers are not computed: an answer such as 9^(9^9) would take the memory of the machine. */
const mostBits = 4_096;

/** In lowest terms; undefined for `d` of 0 and for more than {@link mostBits} bits. */
export function rational(n: bigint, d = 1n): Rational | undefined {
  if (d === 0n || bitsOf(n) > mostBits || bitsOf(d) > mostBits) return undefined;
  const sign = d < 0n ? -1n : 1n;
  const divisor = greatestDivisor(n < 0n ? -n : n, d * sign) * sign;
  return { n: n / divisor, d: d / divisor };
}

/** Reads a decimal such as `-12.50` or `1.5e-7`. */
export function readRational(text: string): Rational | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const power = Number(exponent) - fraction.length;
  if (whole + fraction === '' || Math.abs(power) > mostBits / 3) return undefined;
  const digits = BigInt(`${sign}${whole}${fraction}`.replace(/^\+/, ''));
  return power < 0 ? rational(digits, 10n ** BigInt(-power)) : rational(digits * 10n ** BigInt(power));
}

export function power(base: Rational, exponent: bigint): Rational | undefined {
  const times = exponent < 0n ? -exponent : exponent;
  // 0, 1 and -1 stay short whatever their exponent is.
  const size = Math.max(bitsOf(base.n), bitsOf(base.d)) - 1;
  if (size > 0 && times > BigInt(Math.ceil(mostBits / size))) return undefined;
  if (base.n === 0n && exponent <= 0n) return undefined;
  const folded = size > 0 ? times : times % 2n === 0n ? 2n : 1n;
  const [n, d] = [base.n ** folded, base.d ** folded];
  return exponent < 0n ? rational(d, n) : rational(n, d);
}

/** The root where it is exact, that of a negative number where `degree` is odd; otherwise undefined. */
export function root(of: Rational, degree: bigint): Rational | undefined {
  if (degree < 1n || degree > 1_000n || (of.n < 0n && degree % 2n === 0n)) return undefined;
  const n = wholeRoot(of.n < 0n ? -of.n : of.n, degree);
  const d = wholeRoot(of.d, degree);
  return n === undefined || d === undefined ? undefined : rational(of.n < 0n ? -n : n, d);
}

/** The nearest double; infinite where there is none. */
export function toDouble({ n, d }: Rational): number {
  const direct = Number(n) / Number(d);
  if (Number.isFinite(direct) && (direct !== 0 || n === 0n)) return direct;
  // Both are cut to their first 1,000 bits, which a double can hold.
  const [down, under] = [bitsOf(n) - 1_000, bitsOf(d) - 1_000].map((bits) => Math.max(0, bits)) as [
    number,
    number,
  ];
  return (Number(n >> BigInt(down)) / Number(d >> BigInt(under))) * 2 ** (down - under);
}

/** By Newton's method from above. */
function wholeRoot(of: bigint, degree: bigint): bigint | undefined {
  if (of < 2n) return of;
  let guess = 1n << (BigInt(bitsOf(of)) / degree + 1n);
  for (;;) {
    const next = ((degree - 1n) * guess + of / guess ** (degree - 1n)) / degree;
    if (next >= guess) return guess ** degree === of ? guess : undefined;
    guess = next;
  }
}

function bitsOf(value: bigint): number {
  return (value < 0n ? -value : value).toString(16).length * 4;
}

function greatestDivisor(first: bigint, second: bigint): bigint {
  let [a, b] = [first, second];
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
}

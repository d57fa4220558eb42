/** One axis of a chart: where a value lies between 0 and 1, and which values are written beside it. */
export interface Axis {
  label: string;
  position(value: number): number;
  ticks: { value: number; text: string }[];
}

const steps = [1, 2, 5, 10];
const wantedTicks = 6;

/** From 0 to at least `max`. */
export function linearAxis(label: string, max: number, write: (value: number) => string = String): Axis {
  const rough = (max > 0 ? max : 1) / wantedTicks;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * (steps.find((candidate) => candidate * power >= rough) ?? 10);
  const count = Math.max(1, Math.ceil(max / step - 1e-9));
  // Divided and not multiplied where the step is below 1: 3 * 0.1 is not 0.3.
  const tick = (index: number): number => (step < 1 ? index / Math.round(1 / step) : index * step);
  return {
    label,
    position: (value) => value / (count * step),
    ticks: Array.from({ length: count + 1 }, (_, index) => ({
      value: tick(index),
      text: write(tick(index)),
    })),
  };
}

/** Powers of ten; values outside lie at its ends. */
export function logAxis(
  label: string,
  range: { min: number; max: number },
  write: (value: number) => string = String,
): Axis {
  const low = Math.floor(Math.log10(range.min));
  const high = Math.max(low + 1, Math.ceil(Math.log10(range.max)));
  return {
    label,
    position: (value) =>
      Math.min(1, Math.max(0, (Math.log10(Math.max(value, 10 ** low)) - low) / (high - low))),
    ticks: Array.from({ length: high - low + 1 }, (_, index) => {
      const value = Number(`1e${low + index}`);
      return { value, text: write(value) };
    }),
  };
}

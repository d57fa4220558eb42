import type { JsonScanner } from '@art/json-bytes';
import type { RoutedExperts } from '@art/trajectories';

// The base64 of the first bytes of every .npy file, "\x93NUMPY".
const npyStart = 'k05VTVBZ';

/**
 * Reads routed experts and goes past them; never decoded. The data tells its encoding where it is a NumPy file.
 * undefined for null.
 * @param assumed the encoding where the data does not tell
 */
export function readRoutedExperts(
  scanner: JsonScanner,
  assumed: RoutedExperts['encoding'],
): RoutedExperts | undefined {
  const first = scanner.peek();
  if (first === 0x22) {
    const data = scanner.readString() ?? '';
    if (data === '') return undefined;
    return { data, encoding: data.startsWith(npyStart) ? 'npy_base64' : assumed };
  }
  const data = scanner.readText();
  // A release that writes lists or an object: kept as its JSON text, for whoever knows it.
  return first === 0x5b || first === 0x7b ? { data, encoding: 'unknown' } : undefined;
}

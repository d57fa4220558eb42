import { vi } from 'vitest';
import { patienceMs } from './patience.ts';

// What never comes fails all the same.
const waitFor = vi.waitFor.bind(vi);

vi.waitFor = (callback, options) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout: patienceMs, ...options });

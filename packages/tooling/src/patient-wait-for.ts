import { vi } from 'vitest';

// A second, vitest's own patience, is over soon on a machine that is busy with other things. What never comes fails all the same.
const patienceMs = 20_000;

const waitFor = vi.waitFor.bind(vi);

vi.waitFor = (callback, options) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout: patienceMs, ...options });

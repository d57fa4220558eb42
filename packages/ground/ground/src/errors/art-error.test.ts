import { describe, expect, it } from 'vitest';
import { ArtError } from './art-error.ts';

describe('ArtError', () => {
  it('is recognised across copies of this package', async () => {
    // A query makes the module loader evaluate the file a second time.
    const path = './art-error.ts?copy';
    const copy = (await import(path)) as { ArtError: typeof ArtError };
    const error = new copy.ArtError({ code: 'ART_INVALID_ARN', message: 'x' });
    expect(error).not.toBeInstanceOf(ArtError);
    expect(ArtError.isInstance(error)).toBe(true);
    expect(ArtError.isInstance(new Error('x'))).toBe(false);
    expect(ArtError.isInstance(null)).toBe(false);
  });
});

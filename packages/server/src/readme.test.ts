import { readFile } from 'node:fs/promises';
import { errorCodes } from '@art/protocol';
import { describe, expect, it } from 'vitest';

describe('README', () => {
  it('names only error codes that there are', async () => {
    const text = await readFile(new URL('../README.md', import.meta.url), 'utf8');
    const named = new Set(text.match(/`ART_[A-Z_]+`/g)?.map((code) => code.slice(1, -1)));
    for (const variable of ['ART_RESULT_STORE', 'ART_HOST']) named.delete(variable);
    expect(named.size).toBeGreaterThan(5);
    expect(Object.keys(errorCodes)).toEqual(expect.arrayContaining([...named]));
  });
});

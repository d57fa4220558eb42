import { readFile } from 'node:fs/promises';
import { errorCodes } from '@art/protocol';
import { describe, expect, it } from 'vitest';
import { gatewayOptionNames } from './options/resolve-gateway-options.ts';

const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');

describe('README', () => {
  it('names only error codes that there are', () => {
    const named = new Set(readme.match(/`ART_[A-Z_]+`/g)?.map((code) => code.slice(1, -1)));
    named.delete('ART_GATEWAY_ADMIN_TOKEN');
    expect(named.size).toBeGreaterThan(3);
    expect(Object.keys(errorCodes)).toEqual(expect.arrayContaining([...named]));
  });

  it('describes every option, and no other', () => {
    const table = readme.slice(
      readme.indexOf('## Options'),
      readme.indexOf('`gatewayOptionsFromConfig(yaml'),
    );
    const cells = [...table.matchAll(/^\| (`.*?) *\|/gm)].map((row) => row[1]!);
    const described = cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map((name) => name[1]!));
    expect(described.toSorted()).toEqual([...gatewayOptionNames].toSorted());
  });
});

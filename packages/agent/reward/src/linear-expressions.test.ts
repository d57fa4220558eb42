import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { type Literal, type Node, parse } from 'acorn';
import { analyse } from 'scslre';
import { describe, expect, it } from 'vitest';

const folder = import.meta.dirname;
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !/\.(?:test|fixture)\.ts$/.test(name),
);

describe('regular expressions', () => {
  it('are more than a few, and each takes steps in proportion to its text', () => {
    const slow: string[] = [];
    let count = 0;
    for (const source of sources) {
      const text = stripTypeScriptTypes(readFileSync(join(folder, source), 'utf8'));
      for (const expression of expressionsIn(parse(text, { ecmaVersion: 'latest', sourceType: 'module' }))) {
        count += 1;
        for (const { type } of analyse(expression).reports)
          slow.push(`${source}: ${type} ${String(expression)}`);
      }
    }
    expect(count).toBeGreaterThan(100);
    expect(slow).toEqual([]);
  });

  it('would not pass if one were not linear', () => {
    expect(analyse(/\banswer\s*(?:is|:)\s*([^\n]+?)\.?\s*(?:\n|$)/).reports).not.toEqual([]);
  });
});

function expressionsIn(node: Node): RegExp[] {
  const found: RegExp[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (typeof value === 'object' && value !== null) {
      const { type, value: literal } = value as Partial<Literal>;
      if (type === 'Literal' && literal instanceof RegExp) found.push(literal);
      else Object.values(value).forEach(visit);
    }
  };
  visit(node);
  return found;
}

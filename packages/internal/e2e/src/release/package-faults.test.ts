import { expect, it } from 'vitest';
import { packageFaults, type PackedPackage } from './package-faults.ts';

const good: PackedPackage = {
  manifest: {
    name: '@art/x',
    version: '0.1.0',
    keywords: ['a', 'b', 'c'],
    license: 'Apache-2.0',
    repository: { directory: 'packages/x' },
    engines: { node: '>=22.19' },
    dependencies: { fastify: '^5.0.0' },
    devDependencies: { preact: '^11.0.0' },
  },
  files: new Map(
    ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE', 'dist/index.js', 'dist/a/b.d.ts'].map((path) => [
      path,
      9,
    ]),
  ),
  imports: ['fastify', 'preact'],
  notice: '--- preact 11.x ---',
};

it('a package with all that npm shows and nothing else is good', () => {
  expect(packageFaults(good)).toEqual([]);
});

it.each<[string, Partial<PackedPackage>, RegExp]>([
  ['no changelog', { files: new Map([['package.json', 1]]) }, /CHANGELOG\.md is not in it/],
  ['a test', { files: new Map([...good.files, ['dist/a.test.js', 1]]) }, /^dist\/a\.test\.js is in it/],
  ['a source', { files: new Map([...good.files, ['src/index.ts', 1]]) }, /^src\/index\.ts is in it/],
  ['too much', { files: new Map([...good.files, ['dist/b.js', 2e6]]) }, /2000054 bytes/],
  ['no keywords', { manifest: { ...good.manifest, keywords: [] } }, /keywords/],
  [
    'a dependency that only the workspace has',
    { manifest: { ...good.manifest, dependencies: { '@art/y': 'workspace:^', fastify: '1' } } },
    /depends on @art\/y by workspace:\^/,
  ],
  ['foreign code without its terms', { notice: '' }, /contains preact/],
])('%s is told', (_what, change, message) => {
  const faults = packageFaults({ ...good, ...change });
  expect(faults.filter((fault) => message.test(fault))).toHaveLength(1);
});

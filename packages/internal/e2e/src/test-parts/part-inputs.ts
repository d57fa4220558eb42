import { wings } from '../architecture/arrows.ts';
import { isPattern, readClosure } from './read-closure.ts';

const own = 'packages/internal/e2e/';

/** Folders and files that are made, and in no commit. */
const made = ['node_modules/**', 'dist/**', '.turbo/**', '__pycache__/**', '.test-*'].map(
  (path) => `!$TURBO_ROOT$/**/${path}`,
);

const testsOfOthers = [
  `!$TURBO_ROOT$/packages/{${Object.keys(wings).join(',')}}/*/src/**/*.test.ts`,
  '!$TURBO_ROOT$/examples/*/src/**/*.test.ts',
];

/**
 * Lists what turbo takes for the inputs of tests: folders of this package, and whole packages and examples without their own tests.
 * @param tests from the root of the workspace
 * @param config of Vitest, in this package
 */
export function partInputs(tests: readonly string[], config = 'vitest.config.ts'): string[] {
  const places = [...readClosure(tests)].filter((place) => !place.startsWith('packages/internal/tooling/'));
  const patterns = places.filter(isPattern);
  if (patterns.length > 0) {
    return [
      '$TURBO_DEFAULT$',
      ...['packages/**', 'examples/**', '*.*', '.github/**'].map((path) => `$TURBO_ROOT$/${path}`),
      // Who looks for pages and manifests reads no tests.
      ...(patterns.some((pattern) => pattern.endsWith('.ts')) ? [] : testsOfOthers),
      ...made,
    ];
  }
  const inputs = places.map((place) => {
    if (place.startsWith('examples/') && places.includes('examples')) return '$TURBO_ROOT$/examples/**';
    if (!place.startsWith(own)) return `$TURBO_ROOT$/${ownerOf(place)}/**`;
    const [, first = '', ...below] = place.slice(own.length).split('/');
    return below.length === 0 ? `src/${first}` : `src/${first}/**`;
  });
  return [
    'package.json',
    config,
    ...[...new Set(inputs)].toSorted(),
    '$TURBO_ROOT$/pnpm-lock.yaml',
    '!$TURBO_ROOT$/packages/*/*/{README,CHANGELOG}.md',
    ...testsOfOthers,
    ...made,
  ];
}

/** The package or example that a file belongs to. */
function ownerOf(place: string): string {
  return /^(?:packages\/[^/]+|examples)\/[^/]+|^examples$/.exec(place)![0];
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { frameworkPages } from '../.vitepress/framework-pages.ts';

const root = join(import.meta.dirname, '../../../..');
const repository = 'https://github.com/art-typescript/art/blob/main';

/** The README of each example is its page: the diff, the line for the endpoint, what goes wrong without it. */
export default {
  paths: () =>
    frameworkPages.map(({ framework }) => ({
      params: { framework },
      content: readFileSync(join(root, 'examples', framework, 'README.md'), 'utf8').replaceAll(
        /\]\((\.\.?\/[^)]+)\)/g,
        (_link, path: string) => `](${new URL(path, `${repository}/examples/${framework}/`).href})`,
      ),
    })),
};

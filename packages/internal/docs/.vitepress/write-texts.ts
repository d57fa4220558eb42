import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const workspaceRoot = join(import.meta.dirname, '../../../..');

interface Section {
  text: string;
  /** With the file of each page, from the root of the repository. */
  pages: readonly { title: string; source: string }[];
}

/**
 * Writes what language models read of the site, in the form of https://llmstxt.org: `llms.txt`, the list of the pages, and
 * `llms-full.txt`, all of their text.
 */
export async function writeLlmsTexts(
  outDir: string,
  site: { title: string; description: string; repository: string },
  sections: readonly Section[],
): Promise<void> {
  const head = `# ${site.title}\n\n> ${site.description}\n`;
  const addressOf = (source: string): string => `${site.repository}/blob/main/${source}`;
  const lists = sections.map(({ text, pages }) => {
    const lines = pages.map(({ title, source }) => `- [${title}](${addressOf(source)})\n`);
    return `\n## ${text}\n\n${lines.join('')}`;
  });
  const texts = sections
    .flatMap(({ pages }) => pages)
    .map(async ({ source }) => `\nSource: ${addressOf(source)}\n\n${await textOf(source)}`);
  await writeFile(join(outDir, 'llms.txt'), head + lists.join(''));
  await writeFile(join(outDir, 'llms-full.txt'), head + (await Promise.all(texts)).join(''));
}

/** Writes the Markdown of each page beside it, under the address of the page and `.md`. */
export async function writePages(outDir: string, pages: readonly string[]): Promise<void> {
  for (const page of pages) {
    const [, framework] = /^frameworks\/(.+)\.md$/.exec(page) ?? [];
    const source =
      framework === undefined ? `packages/internal/docs/${page}` : `examples/${framework}/README.md`;
    const file = join(outDir, page.replace(/README\.md$/, 'index.md'));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, await textOf(source));
  }
}

/** The text of a page without what tests alone read. */
async function textOf(source: string): Promise<string> {
  const text = await readFile(join(workspaceRoot, source), 'utf8');
  return text.replaceAll(/<!-- (?:given|run:)[\s\S]*?-->\n*/g, '');
}

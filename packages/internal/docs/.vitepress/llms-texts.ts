import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

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
    .map(async ({ source }) => {
      const text = await readFile(join(workspaceRoot, source), 'utf8');
      // What tests alone read is left out.
      return `\nSource: ${addressOf(source)}\n\n${text.replaceAll(/<!-- (?:given|run:)[\s\S]*?-->\n*/g, '')}`;
    });
  await writeFile(join(outDir, 'llms.txt'), head + lists.join(''));
  await writeFile(join(outDir, 'llms-full.txt'), head + (await Promise.all(texts)).join(''));
}

import { withoutThinking } from '../without-thinking.ts';

/** Names of languages behind a fence, and of what is no program of ours: output, commands, data. */
const languages = {
  python: /^(?:python|py)(?:\d|\.)*$/i,
  javascript: /^(?:javascript|js|jsx|mjs|cjs|typescript|ts|tsx|mts|node|ecmascript)$/i,
};
const definition =
  /^(?:export\s|async\s|@|def\s|class\s|function\b|const\s|let\s|var\s|from\s|import\s|[A-Za-z_][\w.]*\s?=)/;

interface Block {
  language: string;
  code: string;
}

/**
 * The program in an answer: the last fenced block of its language that defines something, else the last one of its language or of none, else
 * the text itself. A fence may open in mid-line, in a list or in a quotation, and a block that is not closed goes to the end.
 */
export function codeIn(text: string, language: keyof typeof languages): string {
  const said = withoutThinking(text);
  const blocks = blocksIn(said);
  const named = blocks.filter((block) => languages[language].test(block.language));
  const own = named.length > 0 ? named : blocks.filter((block) => block.language === '');
  const found =
    own.findLast(({ code }) => code.split('\n').some((line) => definition.test(line.trimStart()))) ??
    own.at(-1) ??
    blocks.at(-1);
  return found?.code ?? said;
}

function blocksIn(text: string): Block[] {
  const blocks: Block[] = [];
  let open: { fence: string; prefix: string; language: string; lines: string[] } | undefined;
  const close = (): void => {
    if (open !== undefined) blocks.push({ language: open.language, code: `${open.lines.join('\n')}\n` });
    open = undefined;
  };
  for (const line of text.split(/\r?\n/)) {
    if (open !== undefined) {
      const inner = withoutPrefix(line, open.prefix);
      const mark = inner.trim();
      if (mark.startsWith(open.fence) && isFence(mark)) close();
      else open.lines.push(inner);
      continue;
    }
    const at = fenceIn(line);
    if (at === undefined) continue;
    const [, fence = '', language = ''] = /^([`~]+)[ \t]?\{?\.?([\w+#.-]*)/.exec(line.slice(at)) ?? [];
    open = { fence, prefix: line.slice(0, at), language, lines: [] };
  }
  close();
  return blocks;
}

/** Where the fence begins that a line opens; one that it closes again is quoted text. */
function fenceIn(line: string): number | undefined {
  const runs = line.match(/`{3,}|~{3,}/g) ?? [];
  if (runs.length % 2 === 0) return undefined;
  const end = Math.max(line.lastIndexOf('```'), line.lastIndexOf('~~~')) + 3;
  return end - runs.at(-1)!.length;
}

/** A line without the marks of the list or quotation that its block stands in. */
function withoutPrefix(line: string, prefix: string): string {
  const quotes = /^[\s>]*/.exec(prefix)![0];
  if (quotes.includes('>') && line.trimStart().startsWith('>')) return line.replace(/^\s*> ?/, '');
  // In a list the text stands as deep as behind its mark; in mid-line it stands at the margin.
  const depth = /^(?:[-*+]|\d+[.)])?$/.test(prefix.trim()) ? prefix.length : 0;
  const blanks = /^\s*/.exec(line)![0].length;
  return line.slice(Math.min(depth, blanks));
}

function isFence(mark: string): boolean {
  return mark === mark[0]!.repeat(mark.length);
}

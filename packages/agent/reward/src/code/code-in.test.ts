import { describe, expect, it } from 'vitest';
import { codeIn } from './code-in.ts';

const code = 'def add(a, b):\n    return a + b\n';
const fenced = (fence: string, language: string, text = code): string =>
  `${fence}${language}\n${text}${fence}\n`;

describe('codeIn', () => {
  it.each([
    ['nothing around it', code],
    ['a fence', fenced('```', 'python')],
    ['tildes', fenced('~~~', 'python')],
    ['a fence in mid-line', `Here it is: ${fenced('```', 'python')}Done.`],
    ['a list', `1. First:\n\n   - ${fenced('```', 'py').replaceAll('\n', '\n     ')}\n2. Done`],
    ['a fence of a list item', `- ${fenced('```', 'python').replaceAll('\n', '\n  ')}`],
    ['a quotation', fenced('```', 'python').trimEnd().replaceAll(/^/gm, '> ')],
    ['an output behind it', `${fenced('```', 'python')}Output:\n${fenced('```', 'text', '5\n')}`],
    ['an output without a name', `${fenced('```', 'python')}It prints\n${fenced('```', '', '5\n')}`],
    ['a shell behind it', `${fenced('```', 'python')}${fenced('```', 'bash', 'python solution.py\n')}`],
    [
      'an example behind it',
      `${fenced('```', 'python')}Use:\n${fenced('```', 'python', 'print(add(2, 3))\n')}`,
    ],
    ['a longer fence', fenced('````', 'python')],
    ['attributes', fenced('```', 'python title="solution.py"')],
    ['a block that is not closed', `\`\`\`python\n${code.trimEnd()}`],
    [
      'a thought before it',
      `<think>${fenced('```', 'python', 'def add(a, b): pass\n')}</think>${fenced('```', 'python')}`,
    ],
    [
      'a first attempt',
      `${fenced('```', 'python', 'def add(a, b): return a - b\n')}No:\n${fenced('```', 'python')}`,
    ],
    ['quoted words', `Use \`\`\`add\`\`\` so:\n${fenced('```', 'python')}`],
    ['lines of Windows', fenced('```', 'python').replaceAll('\n', '\r\n')],
  ])('finds the program with %s', (_, text) => {
    expect(codeIn(text, 'python').trim()).toBe(code.trim());
  });
});

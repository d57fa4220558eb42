import { parsePythonCalls } from './python-literal.ts';
import type { ToolParser } from './tool-parser.ts';

/** `[name(key="value"), ...]` as the whole answer: Llama 3.2 and 4, OLMo. */
export const pythonicTools: ToolParser = (text) => {
  const body = text.replace(/<\|python_start\|>|<\|python_end\|>/g, '').trim();
  if (!/^\[\s*[A-Za-z_][\w.-]*\(/.test(body)) return { content: text, calls: [] };
  const calls = parsePythonCalls(body);
  return calls === undefined ? undefined : { content: '', calls };
};

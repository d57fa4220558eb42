import { readPythonCalls } from './python-literal.ts';
import { joinOutside } from './tagged-sections.ts';
import type { ToolFormat, ToolParse } from './tool-parser.ts';
import type { ToolSchemas } from './tool-schemas.ts';

/** What a list begins with that may be one of calls. */
const callStart = { whole: /\[\s*([A-Za-z_][\w.-]*)\(/, begun: /\[\s*(?:[A-Za-z_][\w.-]*)?$/ };

/** `[name(key="value"), ...]`, alone or between words: Llama 3.2 and 4, OLMo. */
export const pythonicTools: ToolFormat = {
  parse: pythonicCalls,
  marks: ['<|python_start|>'],
  pattern: callStart,
};

function pythonicCalls(text: string, schemas: ToolSchemas): ToolParse | undefined {
  for (const { index, 1: name = '' } of text.matchAll(new RegExp(callStart.whole, 'g'))) {
    const found = readPythonCalls(text.slice(index));
    if (found !== undefined) {
      const around = [text.slice(0, index), text.slice(index + found.end)];
      return { content: joinOutside(around.map(withoutTags)), calls: found.calls };
    }
    if (schemas.has(name)) return undefined;
  }
  return { content: text, calls: [] };
}

function withoutTags(text: string): string {
  return text.replace(/<\|python_start\|>|<\|python_end\|>/g, '');
}

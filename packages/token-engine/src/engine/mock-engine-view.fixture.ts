interface View {
  reasoning: string;
  content: string;
  calls: { id: string; type: 'function'; function: { name: string; arguments: string } }[];
}

const call = /<tool_call>(\w+)\((.*?)\)<\/tool_call>/g;

/** What the parsers of a mock engine make of a text: `<think>..</think>` and `<tool_call>name(json)</tool_call>`. */
export function viewOf(text: string, isWhole: boolean): View {
  const [, inside, isClosed, after] = /^<think>(.*?)(?:(<\/think>)(.*))?$/s.exec(text) ?? [];
  const rest = inside === undefined ? text : (after ?? '');
  const calls = Array.from(rest.matchAll(call), ([, name = '', args = ''], at) => ({
    id: `engine-call-${at}`,
    type: 'function' as const,
    function: { name, arguments: args },
  }));
  const said = rest.replace(call, '');
  const isThinking = inside !== undefined && isClosed === undefined;
  // A mark that is not complete may become one.
  const held = (part: string): string => (isWhole ? part : part.replace(/<[^<]*$/s, ''));
  return {
    reasoning: isThinking ? held(inside) : (inside ?? ''),
    content: /^<t?h?i?n?k?$/.test(text) && !isWhole ? '' : held(said),
    calls,
  };
}

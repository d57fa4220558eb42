// How some formats write calls around what a vector says.

export const kimi = (...calls: (readonly [id: string, args: string])[]): string =>
  `<|tool_calls_section_begin|>${calls
    .map(([id, args]) => `<|tool_call_begin|>${id} <|tool_call_argument_begin|>${args}<|tool_call_end|>`)
    .join('')}<|tool_calls_section_end|>`;
export const fenced = (name: string, args: string): string =>
  `<｜tool▁call▁begin｜>function<｜tool▁sep｜>${name}\n\`\`\`json\n${args}\n\`\`\`<｜tool▁call▁end｜>`;
export const deepseek = (...calls: string[]): string =>
  `<｜tool▁calls▁begin｜>${calls.join('')}<｜tool▁calls▁end｜>`;

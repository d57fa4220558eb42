import { deepseek, fenced, kimi } from './vector-writers.fixture.ts';

/** Answers in which a call was meant and is none: the whole of them stays text, and the turn is marked. */
export const spoiltVectors: readonly (readonly [parser: string, text: string])[] = [
  ['hermes', '<tool_call>\n{"name": "tide", "arguments": {"a": true}'],
  ['llama3_json', '{"name": "tide", "parameters": {nothing}'],
  ['glm45', '<tool_call>tide\n<arg_key>harbour</arg_key>\n<arg_value>Hull</arg_value>'],
  ['glm45', '<tool_call>tide\n<arg_key>incomplete\n<arg_value>value</arg_value>\n</tool_call>'],
  ['kimi_k2', kimi(['functions.no_such.0', '{"port": "Hull"}'])],
  ['kimi_k2', kimi(['0', '{"neither": "of them"}'])],
  ['kimi_k2', kimi(['functions.tide:0', '{"harbour": "Hull"'])],
  ['deepseek_v3', deepseek(fenced('tide', '{"harbour": "Hull"'))],
  ['deepseek_v31', '<｜tool▁calls▁begin｜>tide<｜tool▁sep｜>{"x":1}<｜tool▁calls▁end｜>'],
  ['deepseek_v31', 'Let me look.<｜tool▁calls▁begin｜>tide'],
];

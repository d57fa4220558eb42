import type { MockRequest } from '@art/mock-model';

/** Plays the model of the agent, which follows its prompt to the letter, and the reflecting model, which believes every remark. */
export default ({ model, question, messages }: MockRequest): string => {
  if (model !== 'reflecting') {
    const [kind, word] = question.split(': ');
    const [, ending] = new RegExp(`${kind!} end with (\\w+)`).exec(messages[0]!.text) ?? [];
    return ending === undefined ? word! : `${word!} ${ending}`;
  }
  const prompt = /```\n([^]*?)\n```/.exec(question)![1]!;
  const remarks = question.match(/\w+ end with \w+/g) ?? [];
  const missing = remarks.find((remark) => !prompt.includes(remark)) ?? 'Be careful.';
  return `It has to know this.\n\`\`\`\n${prompt}\nAnswers of kind ${missing}\n\`\`\``;
};

import type { Judge } from '@art/eval';

const endings: Record<string, string> = { radio: 'OVER', prayer: 'AMEN' };

/** Judges by an ending that nobody tells the agent, and says how it should be. */
const judge: Judge = ({ task, document }, { remark }) => {
  const kind = String(task.payload['kind']);
  const isRight = String(document['text']).endsWith(` ${endings[kind]!}`);
  if (!isRight) remark?.(`Answers of kind ${kind} end with ${endings[kind]!}.`);
  return isRight ? 1 : 0;
};

export default judge;

/** The sums that the scripted model does for each problem. Two plans are wrong, so that there is something to see. */
const plans: Record<string, string[]> = {
  garden: ['12 + 19', '31 * 14'],
  Nadia: ['5 * 240', '1200 / 30'],
  Yusuf: ['33 - 6', '27 * 6'],
  Hana: ['3 * 7', '50 - 21'],
  backpack: ['168 * 0.75', '126 * 7'],
  tank: ['630 * 0.2', '126 / 14'],
  Bilal: ['3 * 27', '81 - 18'],
  Rosa: ['400 - 240', '160 / 16'],
  Goran: ['4 * 6', '24 * 5'],
  bus: ['52 * 3', '156 - 139'],
  // What the guide asks.
  '6 times 7': ['6 * 7'],
  '6 times 8': ['6 * 8'],
};

/** The last steps of the two wrong plans, and the hint in a prompt that brings them. */
const forgotten: Record<string, string> = { Goran: '120 - 10', Bilal: '63 / 9' };
const hint = 'Use every number of the problem.';

interface ModelRequest {
  model: string;
  messages: { text: string }[];
  /** The last message of the user. */
  question: string;
  /** How often the model has spoken since then. */
  turn: number;
  /** Answers of the tools since then. */
  toolResults: string[];
  tools: { name: string }[];
}

/**
 * Plays the model in `npm run eval`: calls the calculator for each sum, then says the last result. In `npm run improve` it also plays
 * the model that rewrites the prompt. As `strong` it makes no mistake.
 */
export default function reply({ model, messages, question, turn, toolResults, tools }: ModelRequest) {
  if (model === 'reflecting')
    return `\`\`\`\nSolve the problem with the calculator. ${hint} End with the number alone, like this: #### 42\n\`\`\``;
  const [name = '', plan = []] = Object.entries(plans).find(([word]) => question.includes(word)) ?? [];
  const isCareful = model === 'strong' || messages.some(({ text }) => text.includes(hint));
  const steps = isCareful && name in forgotten ? [...plan, forgotten[name]] : plan;
  const [a, operator, b] = steps[turn]?.split(' ') ?? [];
  if (operator === undefined) return `#### ${toolResults.at(-1) ?? 'unknown'}`;
  const calculator = tools.find((tool) => tool.name.endsWith('calculator'))?.name ?? 'calculator';
  return { toolCalls: [{ name: calculator, arguments: { a: Number(a), operator, b: Number(b) } }] };
}

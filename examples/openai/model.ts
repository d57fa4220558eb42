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

interface ModelRequest {
  /** The last message of the user. */
  question: string;
  /** How often the model has spoken since then. */
  turn: number;
  /** What tools answered since then. */
  toolResults: string[];
  tools: { name: string }[];
}

/** Plays the model in `npm run eval`: calls the calculator for each sum, then says the last result. */
export default function reply({ question, turn, toolResults, tools }: ModelRequest) {
  const plan = Object.entries(plans).find(([word]) => question.includes(word))?.[1];
  const [a, operator, b] = plan?.[turn]?.split(' ') ?? [];
  if (operator === undefined) return `#### ${toolResults.at(-1) ?? 'unknown'}`;
  const name = tools.find((tool) => tool.name.endsWith('calculator'))?.name ?? 'calculator';
  return { toolCalls: [{ name, arguments: { a: Number(a), operator, b: Number(b) } }] };
}

import { generateProblems } from './problems/generate-problems.ts';

/** What the agent is evaluated on. `--limit 20` takes fewer. */
export default generateProblems({ count: 100, seed: 0 }).map(({ question, answer }) => ({
  prompt: question,
  answer,
}));

import { generateProblems } from './problems/generate-problems.ts';

/** Tasks of the evaluation. `--limit 20` takes fewer. */
export default generateProblems({ count: 100, seed: 0 }).map(({ question, answer }) => ({
  prompt: question,
  answer,
}));

import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { readCeiling } from '@art/protocol';

/** `--ceiling`: the most that a whole run may spend on its model. */
export function ceilingOption(what = 'the run') {
  return new Option(
    '--ceiling <most>',
    `end ${what} there: "200 calls", "20000 tokens", "600 seconds" or 5usd; repeatable, at most the calls under way go beyond it`,
  ).argParser(ceilingArgument);
}

/** `--sample-ceiling`: the same for each rollout. */
export function sampleCeilingOption(what = 'sample') {
  return new Option(
    '--sample-ceiling <most>',
    `the same for each ${what}, which then ends as "ceiling"; repeatable`,
  ).argParser(ceilingArgument);
}

/** `--prices`: a ceiling of money needs them. */
export function pricesOption() {
  return new Option(
    '--prices <file>',
    'JSON: {"model": {"input": 1.5, "output": 6}}, by a million tokens; "*" for others',
  );
}

function ceilingArgument(text: string, previous: readonly string[] = []): string[] {
  const texts = [...previous, text];
  try {
    readCeiling('the ceiling', texts);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
  return texts;
}

/**
 * The right spelling, where npm has taken options for its own: `npm create @art/agent my-agent --framework strands`
 * gives this program `my-agent strands` alone, and the environment says that there was a `--framework`. Undefined where
 * npm has taken none.
 */
export function swallowedOptions(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const taken = (['framework', 'name', 'skills'] as const).flatMap((name) => {
    const value = env[`npm_config_${name}`] ?? '';
    const isGiven = words.some((word) => word === `--${name}` || word.startsWith(`--${name}=`));
    return value === '' || isGiven ? [] : [{ name, value }];
  });
  if (taken.length === 0) return undefined;
  // npm makes "--framework strands" a switch and a word.
  const [folder, ...values] = words.filter((word) => !word.startsWith('-'));
  const options = taken.map(({ name, value }) =>
    name === 'skills' ? '--skills' : `--${name} ${value === 'true' ? (values.shift() ?? '...') : value}`,
  );
  const names = taken.map(({ name }) => `--${name}`).join(' and ');
  return (
    `npm kept ${names} for itself. Its options end at two dashes, so write:\n` +
    `  npm create @art/agent ${folder === undefined ? '' : `${folder} `}-- ${options.join(' ')}`
  );
}

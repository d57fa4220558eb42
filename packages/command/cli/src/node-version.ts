/** As `engines` of the manifest says; npx warns of it at most. */
const needed = { major: 22, minor: 19 } as const;

/** Gives the message for the user of a Node that is too old; the failure that would follow says nothing. */
export function nodeVersionProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > needed.major || (major === needed.major && minor >= needed.minor)) return undefined;
  return `Expected Node ${needed.major}.${needed.minor} or newer, got ${version}. Install a newer one from https://nodejs.org.`;
}

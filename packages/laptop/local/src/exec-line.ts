/** Characters by which a line starts more than one program. */
const moreThanOne = /[;&|(){}`\n]/;
/** Words that only the shell itself knows. */
const ofShell =
  /^(?:if|for|while|until|case|exec|cd|export|source|set|unset|trap|eval|umask|ulimit|command|!|\.|:)(?:\s|$)/;

/**
 * A line for `/bin/sh -c` in which a single program takes the place of the shell: not every shell does that by itself, and one that does
 * not passes no signal on. Any other line stays as it is.
 */
export function execLine(line: string): string {
  const text = line.trim();
  if (moreThanOne.test(text) || ofShell.test(text)) return line;
  return /^\w+=/.test(text) ? `exec env ${text}` : `exec ${text}`;
}

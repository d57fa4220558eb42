import { shownUrl } from '@art/ground';

/** Takes passwords and keys of addresses on the command line out of a text that quotes it. @param argv the command line */
export function hideCredentials(argv: readonly string[]): (text: string) => string {
  const words = argv.flatMap((word) => [word, word.slice(word.indexOf('=') + 1)]);
  // A payload is no address.
  const addresses = words.filter(
    (word) => /[@?]/.test(word) && !/^\s*[[{]/.test(word) && !word.startsWith('-'),
  );
  return (text) => addresses.reduce((hidden, address) => hidden.replaceAll(address, shownUrl(address)), text);
}

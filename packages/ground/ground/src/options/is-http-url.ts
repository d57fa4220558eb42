import type { OptionRule } from './option-rules.ts';
import { refuseOption } from './refuse-option.ts';
import { shownUrl } from './shown-url.ts';

/** The expected form of such a URL, for messages. */
export const httpUrlExpected = 'an http or https URL such as http://127.0.0.1:8000/v1';

/** True if a text is an absolute http or https URL; `localhost:8000` is none, its scheme would be `localhost`. */
export function isHttpUrl(text: unknown): text is string {
  const protocol = typeof text === 'string' && URL.canParse(text) ? new URL(text).protocol : undefined;
  return protocol === 'http:' || protocol === 'https:';
}

/** An address that `fetch` takes: it refuses one with a user, and shows the password in its error. */
export const anHttpUrl: OptionRule<string> = (given, option) => {
  if (!isHttpUrl(given))
    return refuseOption(option, httpUrlExpected, typeof given === 'string' ? shownUrl(given) : given);
  const { username, password } = new URL(given);
  if (username + password !== '')
    refuseOption(option, 'an address without user and password, which fetch refuses', shownUrl(given));
  return given;
};

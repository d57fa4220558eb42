import { fitting } from './option-rules.ts';

/** What such a URL is, for messages. */
export const httpUrlExpected = 'an http or https URL such as http://127.0.0.1:8000/v1';

/** Whether a text is an absolute http or https URL; `localhost:8000` is none, its scheme would be `localhost`. */
export function isHttpUrl(text: unknown): text is string {
  const protocol = typeof text === 'string' && URL.canParse(text) ? new URL(text).protocol : undefined;
  return protocol === 'http:' || protocol === 'https:';
}

export const anHttpUrl = fitting<string>(httpUrlExpected, isHttpUrl);

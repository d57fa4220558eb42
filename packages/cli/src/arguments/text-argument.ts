import { describeValue } from '@art/protocol';
import { InvalidArgumentError } from 'commander';

/** Reads an option whose text must have a certain form. */
export function textArgument(pattern: RegExp, expected: string): (text: string) => string {
  return (text) => {
    if (pattern.test(text)) return text;
    throw new InvalidArgumentError(`Expected ${expected}, got ${describeValue(text)}.`);
  };
}

/** Reads any text but an empty one, which is what an unset shell variable leaves. */
export const filledArgument: (text: string) => string = textArgument(/\S/, 'a text that is not empty');

/** Name of a bucket. Source: S3 user guide, bucket naming rules. */
export const bucketArgument: (text: string) => string = textArgument(
  /^(?!.*\.\.)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
  'a bucket name of 3 to 63 lower-case letters, digits, "-" and "."',
);

/** An http or https URL. */
export function urlArgument(text: string): string {
  const protocol = URL.canParse(text) ? new URL(text).protocol : undefined;
  if (protocol === 'http:' || protocol === 'https:') return text;
  throw new InvalidArgumentError(`Expected an http or https URL, got ${describeValue(text)}.`);
}

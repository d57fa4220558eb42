import {
  bucketNameExpected,
  describeValue,
  httpUrlExpected,
  isBucketName,
  isHttpUrl,
  isRegion,
  regionExpected,
  shownUrl,
} from '@art/ground';
import { InvalidArgumentError } from 'commander';

/** Reads an option whose text must have a certain form. */
export function textArgument(
  form: RegExp | ((text: string) => boolean),
  expected: string,
): (text: string) => string {
  return (text) => {
    if (typeof form === 'function' ? form(text) : form.test(text)) return text;
    throw new InvalidArgumentError(`Expected ${expected}, got ${describeValue(text)}.`);
  };
}

/** Reads any text but an empty one, which is what an unset shell variable leaves. */
export const filledArgument: (text: string) => string = textArgument(/\S/, 'a text that is not empty');

/** Name of a bucket. */
export const bucketArgument: (text: string) => string = textArgument(isBucketName, bucketNameExpected);

/** Name of a Region. */
export const regionArgument: (text: string) => string = textArgument(isRegion, regionExpected);

/** An http or https URL. */
export function urlArgument(text: string): string {
  if (isHttpUrl(text)) return text;
  throw new InvalidArgumentError(`Expected ${httpUrlExpected}, got ${describeValue(shownUrl(text))}.`);
}

/** Id of a run, as `art runs` prints it. */
export const runArgument: (text: string) => string = textArgument(
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/,
  'the id of a run: up to 128 letters, digits, ".", "_" and "-" that begin with a letter or digit',
);

/** Expected shape of a Region, for messages. */
export const regionExpected = 'a region such as us-west-2';

/** True if a text has the form of a Region's name, as `us-gov-west-1`, `us-isob-east-1` and `eusc-de-east-1` do. */
export function isRegion(text: string): boolean {
  return /^[a-z]{2,4}(-[a-z]+)+-\d{1,2}$/.test(text);
}

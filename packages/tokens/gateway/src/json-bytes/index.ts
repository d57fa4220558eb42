export { ByteEdits, MemberCuts } from './byte-edits.ts';
export { findString } from './find-value.ts';
export { JsonScanner } from './json-scanner.ts';
export { JsonSyntaxError } from './json-syntax-error.ts';
export {
  isTruthyJson,
  type ObjectMember,
  type ObjectMembers,
  objectMembers,
  setMembers,
} from './object-members.ts';
export { readNumber, readNumbers } from './read-numbers.ts';
export { type TokenIds, readTokenIdLists, readTokenIds } from './read-numbers.ts';
export { joinStrings, writeArray, writeObject } from './write-json.ts';

export { fillFresh, freshBytes, mixIntoDraws } from './fresh-bytes.ts';
export { freshId } from './fresh-id.ts';
export { freshNumber } from './fresh-number.ts';
export { type DrawSource, replaceDraws } from './replace-draws.ts';

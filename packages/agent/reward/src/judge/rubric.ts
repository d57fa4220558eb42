import { matching } from '@art/protocol';

/** What makes an answer good, in words. */
export const aRubric = matching('a text', /\S/);

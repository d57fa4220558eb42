import { matching } from '@art/ground';

/** What makes an answer good, in words. */
export const aRubric = matching('a text', /\S/);

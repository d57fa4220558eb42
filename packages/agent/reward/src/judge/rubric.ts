import { matching } from '@art/ground';

/** The option rule of a rubric: a text that describes a good answer. */
export const aRubric = matching('a text', /\S/);

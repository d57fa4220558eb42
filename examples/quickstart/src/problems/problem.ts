/** One item of the data set. */
export interface Problem {
  question: string;
  /** The right number as plain digits, for example `1200`. */
  answer: string;
}

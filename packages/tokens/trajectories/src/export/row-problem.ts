/** Why a conversation does not fit a format. */
export type RowProblem =
  /** An answer trains in another row already, and the format cannot say so. */
  | 'shared_turns'
  /** An answer is not the model's own, and the format cannot say so. */
  | 'foreign_answers'
  /** The format has no tools. */
  | 'tool_calls'
  /** The format has an answer with text or with calls, not with both. */
  | 'text_beside_tool_call'
  /** The format wants users and answers in turn. */
  | 'order_of_messages';

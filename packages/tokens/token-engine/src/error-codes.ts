export const errorCodes = {
  ART_TOKENIZER_UNREADABLE:
    'A checkpoint folder has no usable tokenizer or chat template. The message names the file and what is wrong with it.',
  ART_TEMPLATE_FAILED:
    "The model's chat template refused the messages of a call, or could not cope with them.",
  ART_UNSUPPORTED_MESSAGE: 'A message holds something that cannot be rendered to tokens, such as an image.',
  ART_RENDER_FAILED:
    'The thread that renders prompts ended while it worked on this one. It is started again.',
} as const;

/** The pages of the documentation, each a `.md` file below this address. */
export const documentation = 'https://github.com/art-typescript/art/blob/main/packages/internal/docs';

/** Options of a command line, by the declaration of its command. An option that is left out may be undefined, too. */
export type OptionsOf<Declare extends (...given: never[]) => { opts: () => object }> = OrUndefined<
  ReturnType<ReturnType<Declare>['opts']>
>;

type OrUndefined<Options> = {
  [Name in keyof Options]: Options extends Required<Pick<Options, Name>>
    ? Options[Name]
    : Options[Name] | undefined;
};

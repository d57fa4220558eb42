/** Whether a value's JSON text is what Python takes for true: not null, false, zero, or an empty text, list or object. */
export function isTruthyJson(text: string | undefined): boolean {
  if (text === undefined || text === 'null' || text === 'false' || text === '""') return false;
  return !/^(?:-?0(?:\.0+)?(?:[eE][+-]?\d+)?|\[\s*\]|\{\s*\})$/.test(text);
}

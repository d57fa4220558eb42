/** Browsers lay out no element that is much higher: Firefox 17 million pixels, Chromium 33. */
const mostPixels = 12_000_000;

/** Which rows are in sight. */
export interface RowWindow {
  first: number;
  /** Exclusive. */
  last: number;
  /** By how much the first row is scrolled out of sight. */
  offset: number;
}

/** Height of what is scrolled. Rows beyond what a browser can lay out share the pixels that there are. */
export function scrollHeightOf(count: number, rowHeight: number): number {
  return Math.min(mostPixels, count * rowHeight);
}

export function rowWindow(count: number, rowHeight: number, height: number, scrollTop: number): RowWindow {
  const wanted = count * rowHeight;
  const scrolled = scrollHeightOf(count, rowHeight);
  const most = Math.max(0, scrolled - height);
  const position = Math.min(Math.max(0, scrollTop), most);
  const top = wanted === scrolled ? position : most === 0 ? 0 : (position / most) * (wanted - height);
  const first = Math.max(0, Math.min(count, Math.floor(top / rowHeight)));
  const last = Math.min(count, Math.ceil((top + height) / rowHeight) + 1);
  return { first, last, offset: top - first * rowHeight };
}

/** Where to scroll so that a row is in sight; the present position where it is. */
export function scrollTopFor(
  row: number,
  count: number,
  rowHeight: number,
  height: number,
  scrollTop: number,
): number {
  const scale = scrollHeightOf(count, rowHeight) / Math.max(1, count * rowHeight);
  const top = row * rowHeight * scale;
  if (top < scrollTop) return top;
  const bottom = top + rowHeight;
  return bottom > scrollTop + height ? bottom - height : scrollTop;
}

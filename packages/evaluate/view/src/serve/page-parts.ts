/**
 * The page's program and style. The build puts the finished texts in the place of this file; in the workspace, where nothing
 * has been built, they are made here.
 */
export function pageParts(): Promise<{ script: string; style: string }> {
  built ??= build();
  return built;
}

let built: Promise<{ script: string; style: string }> | undefined;

async function build(): Promise<{ script: string; style: string }> {
  const builder = new URL('../../build-page.ts', import.meta.url).href;
  const { buildPage } = (await import(builder)) as {
    buildPage: () => Promise<{ script: string; style: string }>;
  };
  return buildPage();
}

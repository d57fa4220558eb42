import { defineConfig } from 'tsup';

/** JavaScript only: the declarations come from `tsc`, which is faster and needs no bundler. */
export function packageBuild(entry: string[]): ReturnType<typeof defineConfig> {
  return defineConfig({ entry, format: ['esm'], dts: false, clean: true, target: 'node22' });
}

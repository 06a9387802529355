import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

const kAssets = new URL("./dist/assets/", import.meta.url);

/// Writes scripts and styles a second and third time, compressed as far as that goes: the server compresses nothing.
function compressed(): Plugin {
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  const compress = (name: string) => {
    const content = readFileSync(new URL(name, kAssets));
    writeFileSync(new URL(`${name}.br`, kAssets), brotliCompressSync(content, brotli));
    writeFileSync(new URL(`${name}.gz`, kAssets), gzipSync(content, { level: constants.Z_BEST_COMPRESSION }));
  };
  return {
    name: "ptyd-compressed",
    apply: "build",
    closeBundle: () => readdirSync(kAssets).filter((name) => /\.(js|css)$/.test(name)).forEach(compress),
  };
}

export default defineConfig({
  root: "app",
  base: "./", // every address relative, so that the page works below any base path
  plugins: [compressed()],
  build: {
    outDir: "../dist",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // the content security policy allows no data: scripts or styles
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 800,
  },
});

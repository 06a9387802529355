import { defineConfig } from "vite";

export default defineConfig({
  root: "app",
  base: "./", // every address relative, so that the page works below any base path
  build: {
    outDir: "../dist",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // the content security policy allows no data: scripts or styles
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 800,
  },
});

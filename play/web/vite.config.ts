import { defineConfig } from "vite";

// Stable names: the program and the tests know the files, and the same sources give the same bytes.
export default defineConfig({
  base: "./",
  json: { namedExports: false },
  build: {
    outDir: "built",
    target: "es2022",
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    rollupOptions: {
      output: { entryFileNames: "app.js", chunkFileNames: "[name].js", assetFileNames: "app[extname]" },
    },
  },
  worker: { format: "es", rollupOptions: { output: { entryFileNames: "[name].js" } } },
});

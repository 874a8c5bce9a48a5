// Bundles what the pages run into rulelang/web/static. A test builds it again and compares the bytes.
import { build } from "esbuild";

await build({
  entryPoints: { table: "src/table.js", editor: "src/editor.js" },
  outdir: process.argv[2] ?? "../rulelang/web/static",
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
});

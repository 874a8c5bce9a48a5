// Bundles what the pages run: `node build.mjs` writes rulelang/web/static, which a test builds again to compare the bytes;
// `node build.mjs FOLDER table playground python` writes what the site runs.
import { build } from "esbuild";

const [folder = "../rulelang/web/static", ...names] = process.argv.slice(2);
await build({
  entryPoints: (names.length ? names : ["table", "editor"]).map((name) => `src/${name}.js`),
  outdir: folder,
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
});

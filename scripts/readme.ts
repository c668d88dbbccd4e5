/** Writes the README's table of settings anew from src/config.ts; `--check` only compares. */
import { join } from "node:path"
import { settingRows } from "../src/config.ts"

const path = join(import.meta.dir, "../README.md")
const rows = settingRows().map(
  ({ env, fallback, description }) =>
    `| \`${env}\` | ${fallback === "" ? "" : `\`${fallback}\``} | ${description.replaceAll("|", "\\|")} |`,
)
const table = ["| variable | default | meaning |", "|---|---|---|", ...rows].join("\n")
const text = await Bun.file(path).text()
const written = text.replace(
  /<!-- settings -->[\s\S]*<!-- \/settings -->/,
  () => `<!-- settings -->\n${table}\n<!-- /settings -->`,
)
if (process.argv.includes("--check")) {
  if (written === text) process.exit(0)
  console.error(
    "The README's settings are not those of src/config.ts; run `bun scripts/readme.ts`.",
  )
  process.exit(1)
}
await Bun.write(path, written)

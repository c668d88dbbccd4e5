/** Writes the README's tables of environment variables anew; `--check` only compares. */
import { join } from "node:path"
import { secretRows } from "../src/catalogue/kit/index.ts"
import { settingRows } from "../src/config.ts"

const code = (text: string) => (text === "" ? "" : `\`${text}\``)
const table = (head: string[], rows: string[][]) =>
  [head, head.map(() => "---"), ...rows]
    .map((row) => `| ${row.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`)
    .join("\n")

const tables = {
  settings: table(
    ["variable", "default", "meaning"],
    settingRows().map(({ env, fallback, description }) => [code(env), code(fallback), description]),
  ),
  secrets: table(
    ["variable", "serves", "what it is good for"],
    secretRows().map(({ env, description, isSecret }) => [
      code(env),
      isSecret ? "accounts" : "all",
      description,
    ]),
  ),
}

const path = join(import.meta.dir, "../README.md")
const text = await Bun.file(path).text()
let written = text
for (const [name, rows] of Object.entries(tables)) {
  written = written.replace(
    new RegExp(`<!-- ${name} -->[\\s\\S]*<!-- /${name} -->`),
    () => `<!-- ${name} -->\n${rows}\n<!-- /${name} -->`,
  )
}
if (process.argv.includes("--check")) {
  if (written === text) process.exit(0)
  console.error("The README's tables are not those of the code; run `bun scripts/readme.ts`.")
  process.exit(1)
}
await Bun.write(path, written)

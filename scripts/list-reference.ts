/**
 * Writes the generated pages of docs/guide/reference: settings, error codes, limits, export formats,
 * commands, and scrapers by category. `--check` writes nothing, and fails if a page differs.
 */
import { join } from "node:path"
import { referencePages } from "./reference/pages.ts"

const folder = join(import.meta.dir, "../docs/guide/reference")
const isCheck = process.argv.includes("--check")
const different: string[] = []
for (const [name, text] of Object.entries(await referencePages())) {
  const path = join(folder, `${name}.md`)
  const file = Bun.file(path)
  if ((await file.exists()) && (await file.text()) === text) continue
  different.push(name)
  if (!isCheck) await Bun.write(path, text)
}
if (isCheck && different.length > 0) {
  console.error(
    `Run \`bun scripts/list-reference.ts\`. These pages differ: ${different.join(", ")}`,
  )
  process.exit(1)
}
if (!isCheck) console.log(`${different.length} pages written`)

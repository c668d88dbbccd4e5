/**
 * Runs invalid command lines: `bun run bench trust commands [lines] [seed]`. Each follows a
 * command's usage with words that do not fit. The command must exit with 0, 1 or 2 (`check` also
 * with 3), and print sentences that explain why, without a stack trace or a memory address.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Command } from "commander"
import { programOf } from "../../src/cli/main.ts"
import { trawlCommand } from "../../test/trawl.ts"
import { brokenBytes, hostileTexts, pick } from "../../test/trust/fuzzed.ts"
import { random } from "../../test/trust/mutate.ts"

const count = Number(process.argv[2] ?? 200)
const next = random(Number(process.argv[3] ?? 1))
const folder = mkdtempSync(join(tmpdir(), "trawl-commands-"))
/** Commands that run until they are stopped, or download a Chrome. */
const apart = new Set(["serve", "mcp", "browser", "help"])
const replayed = join(import.meta.dir, "../../test/cases/npm-package-scraper/old-manifest")

interface StoreCommand {
  words: string[]
  options: { flag: string; takes: boolean }[]
}
function commandsOf(command: Command, words: string[] = []): StoreCommand[] {
  return command.commands
    .filter((one) => words.length > 0 || !apart.has(one.name()))
    .flatMap((one) => {
      const here = [...words, one.name()]
      const inner = commandsOf(one, here)
      const options = one.options.map(({ long, short, required, optional }) => ({
        flag: (long ?? short)!,
        takes: required || optional,
      }))
      return inner.length > 0 ? inner : [{ words: here, options }]
    })
}
const storeCommands = commandsOf(await programOf())

const list = join(folder, "list.csv")
const settings = {
  PATH: process.env.PATH ?? "",
  HOME: folder,
  TRAWL_DATA_DIR: join(folder, "data"),
  TRAWL_PORT: "0",
}
const plausible = [
  "web-scraper", "npm-package-scraper", "meta-tags-scraper", "tides", "a@example.com", list, `@${list}`, replayed, "https://127.0.0.1:1/", "7", "1.5", "{}", '{"urls":["a.test"]}',
  '{"packages":["tides"]}', "json", "csv", "-", folder, join(folder, "nothing", "out.csv"), "/proc/self/mem", "/dev/null", "key_x", "acc_x",
] // biome-ignore format: a list reads better dense

const argument = () => {
  const word = next() < 0.65 ? pick(next, plausible) : pick(next, hostileTexts)
  // The kernel does not accept these bytes, or longer arguments.
  return word.replaceAll("\0", "").slice(0, 5000).toWellFormed()
}

let issues = 0
const codes = new Map<string, number>()
for (let number = 0; number < count; number++) {
  const { words, options } = pick(next, storeCommands)
  const line = [...words]
  if (words[0] === "run")
    line.push(pick(next, ["web-scraper", "npm-package-scraper", argument()]), "--replay", replayed)
  for (let n = Math.floor(next() * 3); n > 0; n--) line.push(argument())
  for (let n = Math.floor(next() * 3); n > 0 && options.length > 0; n--) {
    const { flag, takes } = pick(next, options)
    if (flag === "--remote" || flag === "--server") continue
    line.push(flag)
    if (takes && next() < 0.9) line.push(argument())
  }
  writeFileSync(
    list,
    brokenBytes(new TextEncoder().encode('url,name\nhttps://a.test/,one\n"b.test","two"\n'), next),
  )
  const ended = Bun.spawnSync([...trawlCommand, ...line], {
    cwd: folder,
    env: settings,
    stdin: null,
    timeout: 300_000,
  })
  const code = String(ended.signalCode ?? ended.exitCode)
  codes.set(code, (codes.get(code) ?? 0) + 1)
  const stated = ended.stderr.toString()
  const isSentence =
    !/\n\s+at .*[\d:]+\)?$|^\s*\d+ \| |undefined is not|null is not|is not an object|is not a function|Bun v\d/m.test(
      stated,
    )
  // 3: `check` found that a site blocks, or its items are incomplete.
  const isOwn = ["0", "1", "2"].includes(code) || (code === "3" && words[0] === "check")
  if (isOwn && isSentence) continue
  issues++
  console.log(
    `${code}: trawl ${line.map((word) => JSON.stringify(word.slice(0, 100))).join(" ")}\n    ${stated.slice(0, 600)}`,
  )
}
rmSync(folder, { recursive: true, force: true })
console.log(
  `${count} command lines of ${storeCommands.length} verbs: ${[...codes].map(([code, n]) => `${n} ended with ${code}`).join(", ")}; ${issues} faults`,
)
process.exit(issues > 0 ? 1 : 0)

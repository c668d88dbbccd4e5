import { beforeAll, describe, expect, test } from "bun:test"
import type { Command } from "commander"
import { programOf } from "../../src/cli/main.ts"
import { reportedCommands } from "../../src/cli/shell/commands.ts"
import { completionFor } from "../../src/cli/shell/completion.ts"
import { manualOf } from "../../src/cli/shell/man.ts"

let program: Command
beforeAll(async () => {
  program = await programOf()
})

test("bash completes commands, scrapers, options and their values", () => {
  const cases: [line: string[], offered: string[]][] = [
    [["ru"], ["run"]],
    [
      ["account", "cre"],
      ["create", "credit"],
    ],
    [["run", "pypi-pack"], ["pypi-package-scraper"]],
    [["run", "pypi-package-scraper", "--form"], ["--format"]],
    [
      ["run", "pypi-package-scraper", "--format", "j"],
      ["json", "jsonl"],
    ],
    // Anything else is a file name.
    [["run", "pypi-package-scraper", "pypi-pack"], []],
    [["run", "pypi-package-scraper", "--from", "run"], []],
    [["serve", "--form"], []],
  ]
  const ask = `ask() { COMP_WORDS=(trawl "$@"); COMP_CWORD=$#; _trawl; echo "\${COMPREPLY[*]}"; }`
  const lines = cases.map(([words]) => `ask ${words.join(" ")}`)
  const script = [completionFor("bash", program), ask, ...lines].join("\n")
  const { stdout, stderr } = Bun.spawnSync(["bash", "-uc", script])
  expect(stderr.toString()).toBe("")
  expect(stdout.toString()).toBe(cases.map(([, offered]) => `${offered.join(" ")}\n`).join(""))
})

for (const shell of ["zsh", "fish"] as const) {
  describe.skipIf(!Bun.which(shell))(shell, () => {
    test("accepts the given arguments", () => {
      const script = Buffer.from(completionFor(shell, program))
      const { exitCode, stderr } = Bun.spawnSync([shell, "-n", "/dev/stdin"], { stdin: script })
      expect([exitCode, stderr.toString()]).toEqual([0, ""])
    })
  })
}

test("a summary cannot run as shell code, or as a request of roff", async () => {
  const odd = "'it' $(false) `x` \\fB \"q\""
  const small = (await programOf([])).command("odd").description(odd).option("--why <x>", odd)
    .parent!
  for (const shell of ["zsh", "fish"] as const) {
    expect(completionFor(shell, small)).toContain("it")
    if (!Bun.which(shell)) continue
    const script = Buffer.from(completionFor(shell, small))
    const { stderr } = Bun.spawnSync([shell, "-n", "/dev/stdin"], { stdin: script })
    expect(stderr.toString()).toBe("")
  }
  expect(manualOf(small)).toContain("\n\\&'it' $(false) `x` \\efB \"q\"\n")
})

test("the manual has every command and option", () => {
  const manual = manualOf(program).replaceAll("\\-", "-")
  const reported = reportedCommands(program)
  expect(reported.length).toBeGreaterThan(25)
  for (const { path, options } of reported) {
    expect(manual).toContain(`trawl ${path}`.trim())
    for (const { names } of options) expect(manual).toContain(`\\fB${names[0]}\\fR`)
  }
})

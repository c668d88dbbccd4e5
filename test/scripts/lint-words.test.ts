import { afterAll, expect, test } from "bun:test"
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

const root = join(import.meta.dir, "../..")
const folder = mkdtempSync(join(tmpdir(), "trawl-words-test-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** Lints one file in a temporary project. */
function lint(path: string, content: string) {
  const project = mkdtempSync(join(folder, "project-"))
  mkdirSync(join(project, "scripts"))
  cpSync(join(root, "scripts/lint-words.ts"), join(project, "scripts/lint-words.ts"))
  symlinkSync(join(root, "node_modules"), join(project, "node_modules"))
  mkdirSync(dirname(join(project, path)), { recursive: true })
  writeFileSync(join(project, path), content)
  const { exitCode, stdout } = Bun.spawnSync([process.execPath, "scripts/lint-words.ts"], {
    cwd: project,
  })
  return { exitCode, stdout: stdout.toString() }
}

const refused: [name: string, path: string, content: string, line: number][] = [
  ["a comment", "src/a.ts", "export const a = 1\n// It tells the caller.\n", 2],
  ["a phrase over two lines", "src/a.ts", "/**\n * Used in\n * place of b.\n */\n", 1],
  ["a string", "src/a.ts", 'export const a = "The run is over"\n', 1],
  ["a template", "src/a.ts", `export const a = \`\${1} goes on\`\n`, 1],
  ["JSX text", "src/a.tsx", "export const a = <p>Nobody called</p>\n", 1],
  ["a test", "test/store/a.test.ts", 'test("is told", () => {})\n', 1],
  ["a fixture's comment", "test/extract/page/a.test.ts", "// It tells the caller.\n", 1],
  ["Markdown", "docs/a.md", "# A\n\nThe file lies in a folder.\n", 3],
]
for (const [name, path, content, line] of refused) {
  test(`${name} with a phrase to replace is refused`, () => {
    const { exitCode, stdout } = lint(path, content)
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(new RegExp(`^${path}:${line}`, "m"))
  })
}

test("identifiers, pages of fixtures, and code in Markdown may contain any word", () => {
  expect(lint("src/a.ts", "export const tells = 1\n").exitCode).toBe(0)
  expect(
    lint("test/extract/page/a.test.ts", 'const page = "<p>Nobody called</p>"\n').exitCode,
  ).toBe(0)
  expect(lint("docs/a.md", "Set `tells`.\n\n```sh\ntells\n```\n").exitCode).toBe(0)
})

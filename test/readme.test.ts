import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Installation, type Serving } from "./api/process.ts"
import { corpus } from "./corpus-run.ts"

test("the README's settings are those of src/config.ts", () => {
  const script = join(import.meta.dir, "../scripts/readme.ts")
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, script, "--check"])
  expect(stderr.toString()).toBe("")
  expect(exitCode).toBe(0)
})

const readme = readFileSync(join(import.meta.dir, "../README.md"), "utf8")

/** The calls of the section "Three calls", each with the answer that is shown below it. */
const calls = [
  ...readme
    .split("\n## ")
    .find((section) => section.startsWith("Three calls"))!
    .matchAll(/```sh\n(curl [\s\S]+?)\n```\n+```json\n([\s\S]+?)\n```\n/g),
].map(([, command, response]) => ({ command: command!, visible: JSON.parse(response!) }))

const recordings = [
  "url-to-markdown-scraper/mkdocs-getting-started",
  "web-scraper/mkdocs-lists-and-attrs",
  "pypi-package-scraper/flask",
].map((name) => join(corpus, name))
const isRecorded = recordings.every(existsSync)
if (!isRecorded) console.log("The recorded corpus is not here: the README's calls are not run.")

/** The address that a curl command of the README asks for. */
function addressOf(command: string): URL {
  const url = new URL(/'(http[^']+)'/.exec(command)![1]!)
  for (const [, name, value] of command.matchAll(/--data-urlencode '(\w+)=([^']+)'/g)) {
    url.searchParams.append(name!, value!)
  }
  return url
}

/** Differ from call to call. */
const changing = new Set(["agentId", "resetsAt"])

/** Shown answers leave fields out, and end texts and lists that go on with "…". */
function expectVisible(visible: unknown, provided: unknown, path = "answer"): void {
  if (typeof visible === "string" && visible.endsWith(" …")) {
    expect(String(provided).slice(0, visible.length - 2), path).toBe(visible.slice(0, -2))
  } else if (Array.isArray(visible)) {
    const goesOn = visible.at(-1) === "…"
    const list = goesOn ? visible.slice(0, -1) : visible
    if (goesOn) expect((provided as unknown[]).length, path).toBeGreaterThan(list.length)
    else expect(provided, path).toBeArrayOfSize(list.length)
    for (const [at, one] of list.entries()) {
      expectVisible(one, (provided as unknown[])[at], `${path}[${at}]`)
    }
  } else if (typeof visible === "object" && visible !== null) {
    expect(provided, path).toBeObject()
    for (const [name, value] of Object.entries(visible)) {
      const found = (provided as Record<string, unknown>)[name]
      if (changing.has(name)) expect(typeof found, `${path}.${name}`).toBe(typeof value)
      else expectVisible(value, found, `${path}.${name}`)
    }
  } else expect(provided, path).toEqual(visible)
}

describe.if(isRecorded)("the README's calls give what it shows", () => {
  const installation = new Installation({
    TRAWL_REPLAY: recordings.join(","),
    TRAWL_KEYLESS_WAIT: "110",
  })
  let serving: Serving
  beforeAll(async () => {
    serving = await installation.serve()
  }, 120_000)
  afterAll(async () => {
    await serving.end()
    installation.remove()
  }, 120_000)

  test("there are three", () => expect(calls).toHaveLength(3))
  for (const { command, visible } of calls) {
    const { pathname, search } = addressOf(command)
    test(`${pathname}${decodeURIComponent(search)}`, async () => {
      const response = await fetch(new URL(pathname + search, serving.root))
      expectVisible(visible, await response.json())
    }, 120_000)
  }
})
